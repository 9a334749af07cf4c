import type { Money } from '~/core/money';
import type { EstatusPregunta, EstatusReclamo, ResponsableReclamo } from '~db/columns';
import type { Asking, Cambio, Ventana } from '~/domain/mercados/internal/listado';

/** What any marketplace tells of the people who ask before they buy and claim afterwards, in our nouns. */

export type PreguntaLeida = {
  marketId: string;
  /** The listing it is about, as the marketplace numbers it. */
  publicacionId: string;
  compradorId: string | null;
  texto: string;
  estatus: EstatusPregunta;
  /** The marketplace holds it back for now. */
  retenida: boolean;
  fecha: Date;
  respuesta: { texto: string; fecha: Date | null } | null;
  documento: unknown;
};

export type PublicacionLeida = {
  titulo: string | null;
  marca: string | null;
  modelo: string | null;
  sku: string | null;
  enlace: string | null;
};

export type CompradorLeido = {
  apodo: string | null;
  ciudad: string | null;
  estado: string | null;
  enlace: string | null;
  bloqueado: boolean;
};

/** One of the two sides of a claim, or the marketplace between them. */
export type Lado = 'comprador' | 'vendedor' | 'mediador';

/** What we may do about a claim, in the marketplace's own word for it. */
export type AccionDeReclamo = { accion: string; obligatoria: boolean; vence: string | null };
export type MensajeDeReclamo = {
  clave: string;
  de: Lado | null;
  para: Lado | null;
  texto: string;
  fecha: string | null;
  adjuntos: string[];
};
export type DevolucionDeReclamo = {
  id: string | null;
  estatus: string | null;
  dinero: string | null;
  envios: { id: string | null; estatus: string | null; guia: string | null; destino: string | null }[];
};

export type ReclamoLeido = {
  marketId: string;
  /** The order it is about, where that can be told. */
  ordenMarketId: string | null;
  recurso: string;
  recursoId: string;
  estatus: EstatusReclamo;
  tipo: string;
  etapa: string | null;
  motivo: string | null;
  titulo: string | null;
  problema: string | null;
  responsable: ResponsableReclamo | null;
  /** When what is asked of us has to be done; null while nothing is. */
  venceEn: Date | null;
  parcial: boolean;
  jugadores: { rol: string; tipo: string | null; usuario: string | null }[];
  acciones: AccionDeReclamo[];
  resolucion: { motivo: string | null; fecha: string | null; favorece: string[]; cerro: string | null } | null;
  /** Undefined: could not be read now, and what we held stays. */
  mensajes: MensajeDeReclamo[] | undefined;
  devoluciones: DevolucionDeReclamo[] | undefined;
  /** What the marketplace lets us give back in part. */
  ofertas: { monto: Money; porcentaje: number }[] | undefined;
  /** What of it could not be read, in words. */
  sinLeer: string[];
  fecha: Date;
  actualizadoEn: Date;
  documento: unknown;
};

export type MensajeDeVenta = { id: string; nuestro: boolean; texto: string; fecha: string | null; moderado: boolean };
/** `bloqueo`: why nobody may write now, in the marketplace's word. */
export type Conversacion = { mensajes: MensajeDeVenta[]; bloqueo: string | null };

export type PaginaDePreguntas = { preguntas: PreguntaLeida[]; sinLeer: string[] };

/** Of a marketplace whose buyers ask and claim. */
export type Atencion = {
  readPregunta(marketId: string): Promise<PreguntaLeida>;
  /** The newest first, page by page: all of them, or those that wait for an answer. It returns what it could not list, in words. */
  preguntas(cuales: 'todas' | 'pendientes', asking: Asking): AsyncGenerator<PaginaDePreguntas, string[]>;
  /** Null when the listing is gone. */
  readPublicacion(id: string): Promise<PublicacionLeida | null>;
  readReclamo(marketId: string): Promise<ReclamoLeido>;
  reclamos(window: Ventana, asking: Asking): AsyncGenerator<Cambio[], string[]>;
  readComprador(id: string): Promise<CompradorLeido>;
  /** What was written about a sale; null while nobody wrote. */
  readConversacion(numOrden: string): Promise<Conversacion | null>;
};
