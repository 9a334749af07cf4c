import type { Money } from '~/core/money';
import type { EstatusPregunta, EstatusReclamo, ResponsableReclamo } from '~db/columns';
import type { Asking, Cambio, Ventana } from '~/domain/mercados/internal/listado';

/** A question of a buyer, as a marketplace tells it. */
export type PreguntaLeida = {
  marketId: string;
  /** The marketplace's number of the listing that the question is about. */
  publicacionId: string;
  compradorId: string | null;
  texto: string;
  estatus: EstatusPregunta;
  /** The marketplace holds the question back for now. */
  retenida: boolean;
  fecha: Date;
  respuesta: { texto: string; fecha: Date | null } | null;
  documento: unknown;
};

/** The listing of a question, as far as an answer needs it. */
export type PublicacionLeida = {
  titulo: string | null;
  marca: string | null;
  modelo: string | null;
  sku: string | null;
  enlace: string | null;
};

/** A buyer, as the marketplace shows them. */
export type CompradorLeido = {
  apodo: string | null;
  ciudad: string | null;
  estado: string | null;
  enlace: string | null;
  bloqueado: boolean;
};

/** A side of a claim: the buyer, we, or the marketplace between both. */
export type Lado = 'comprador' | 'vendedor' | 'mediador';

/** An action that a claim offers us, by the marketplace's own word. */
export type AccionDeReclamo = { accion: string; obligatoria: boolean; vence: string | null };
export type MensajeDeReclamo = {
  clave: string;
  de: Lado | null;
  para: Lado | null;
  texto: string;
  fecha: string | null;
  adjuntos: string[];
};
/**
 * What a review found of a product that came back, in the marketplace's words; empty words are null. `deNosotros` is what we said of it, and `motivo` our
 * reason.
 */
export type RevisionDeDevolucion = {
  etapa: string | null;
  resultado: string | null;
  producto: string | null;
  destino: string | null;
  favorece: string | null;
  deNosotros: string | null;
  motivo: string | null;
  faltan: number | null;
};
export type DevolucionDeReclamo = {
  id: string | null;
  estatus: string | null;
  dinero: string | null;
  envios: { id: string | null; estatus: string | null; guia: string | null; destino: string | null }[];
  /** Absent in a claim that was read before reviews were. */
  revisiones?: RevisionDeDevolucion[];
};

/**
 * A change or a replacement of a claim, in the marketplace's words. `ordenes` are the orders that it made: real sales, paid with the money of the first, and
 * tied to it by this claim alone.
 */
export type CambioDeReclamo = {
  tipo: string | null;
  estado: string | null;
  detalle: string | null;
  articulos: { publicacionId: string; cantidad: number | null }[];
  devolucionId: string | null;
  ordenes: string[];
  envios: string[];
  desde: string | null;
  hasta: string | null;
};

/** A reason for which what came back may be objected to. */
export type MotivoDeObjecion = { id: string; nombre: string; detalle: string | null };

/** A claim, as a marketplace tells it. */
export type ReclamoLeido = {
  marketId: string;
  /** The order that the claim is about; null when nobody tells it. */
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
  /** The moment until which we have to act; null while nothing is asked of us. */
  venceEn: Date | null;
  parcial: boolean;
  jugadores: { rol: string; tipo: string | null; usuario: string | null }[];
  acciones: AccionDeReclamo[];
  resolucion: { motivo: string | null; fecha: string | null; favorece: string[]; cerro: string | null } | null;
  /** Undefined: the messages could not be read now, and the stored ones stay. The same holds for the four below. */
  mensajes: MensajeDeReclamo[] | undefined;
  devoluciones: DevolucionDeReclamo[] | undefined;
  cambios: CambioDeReclamo[] | undefined;
  /** The cost of the return for us, in pesos; null while the marketplace does not tell it. */
  costoDevolucion: Money | null | undefined;
  /** The partial refunds that the marketplace offers. */
  ofertas: { monto: Money; porcentaje: number }[] | undefined;
  /** The details that could not be read, in words. */
  sinLeer: string[];
  fecha: Date;
  actualizadoEn: Date;
  documento: unknown;
};

/** The other side of the messages of a sale: the buyer, or an agent of the marketplace in the buyer's place. */
export type Interlocutor = 'comprador' | 'agente';
/** A message of a sale. `moderado`: the marketplace did not deliver it. */
export type MensajeDeVenta = {
  id: string;
  de: 'nosotros' | Interlocutor;
  texto: string;
  fecha: string | null;
  moderado: boolean;
};
/**
 * The messages of a sale. `con`: who gets what is written now. `espera`: an agent has not answered our last message, and takes no other until then. `bloqueo`
 * is the marketplace's word for why nobody may write now.
 */
export type Conversacion = {
  mensajes: MensajeDeVenta[];
  con: Interlocutor;
  espera: boolean;
  bloqueo: string | null;
};

/** A page of questions, and the questions that could not be read, in words. */
export type PaginaDePreguntas = { preguntas: PreguntaLeida[]; sinLeer: string[] };

/** The questions and claims of a marketplace whose buyers ask and claim. */
export type Atencion = {
  readPregunta(marketId: string): Promise<PreguntaLeida>;
  /** Lists questions, the newest first: all of them, or those that wait for an answer. Returns the parts that could not be listed, in words. */
  preguntas(cuales: 'todas' | 'pendientes', asking: Asking): AsyncGenerator<PaginaDePreguntas, string[]>;
  /** Reads the listing of a question; null when the listing is gone. */
  readPublicacion(id: string): Promise<PublicacionLeida | null>;
  readReclamo(marketId: string): Promise<ReclamoLeido>;
  reclamos(window: Ventana, asking: Asking): AsyncGenerator<Cambio[], string[]>;
  /** Reads the reasons for which the return of a claim may be objected to. */
  readMotivosDeObjecion(marketId: string): Promise<MotivoDeObjecion[]>;
  readComprador(id: string): Promise<CompradorLeido>;
  /** Reads the messages of a sale; null while nobody wrote. */
  readConversacion(numOrden: string): Promise<Conversacion | null>;
};
