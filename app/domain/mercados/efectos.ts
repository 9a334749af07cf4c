import type { z } from 'zod';
import type { EffectCall, EffectDefinition, Summary } from '~/platform/effects/definition';
import type { EstadoDeGuiaComprada } from '~db/columns';
import type { PromocionLeida } from './publicacion';
import type { Interlocutor } from './atencion';
import type { Medidas, Remitente } from './guias';

/**
 * The part of an effect that a marketplace does: how the request is sent there, how an unclear one is looked for, and how the result is read
 * back. The noun's room owns the rest, once for all marketplaces: the frozen request, its key, its subjects, and what is written when the
 * effect is done. `type` is stored with every effect and never changes.
 */
export type Acto<Req, Res, Ev = unknown> = Pick<
  EffectDefinition<Req, Ev, Res>,
  | 'type'
  | 'label'
  | 'connection'
  | 'evidence'
  | 'byHand'
  | 'unclear'
  | 'again'
  | 'send'
  | 'find'
  | 'mayRepeat'
  | 'pista'
  | 'alive'
  | 'uidOf'
  | 'sinMirada'
  | 'stands'
  | 'confirm'
>;
/** The names under which an effect is stored, shown to people and run. */
export type NombreDeActo = Pick<Acto<unknown, unknown>, 'type' | 'label' | 'connection'>;

/** The change of one listing; null leaves that part as it is. */
export type CambioDePublicacion = {
  publicacionId: string;
  clave: string;
  variantes: number;
  precio: string | null;
  stock: number | null;
  titulo: string | null;
  estatus: string | null;
};
/** A listing as its marketplace shows it after a change. */
export type PublicacionDicha = {
  precio: string | null;
  stock: number | null;
  titulo: string;
  estatus: string;
  subestatus: string[];
};
/** A change of one listing. `relee`: after a clear no the listing is read again, since its status may be another one by now. */
export type ActoDeCambio<Ev = unknown> = Acto<CambioDePublicacion, PublicacionDicha, Ev> & { relee?: true };

/** The end of one line of a file of changes. `falta`: the marketplace does not show the change yet. */
export type LineaDeArchivo = { dicha: PublicacionDicha } | { no: string } | { falta: true };
export type Lineas = { lineas: readonly CambioDePublicacion[] };
/**
 * Many changes in one file. `omit` gives one line back before the file leaves, with the reason. `others` tells when this file was sent and what
 * the other files of these days were answered; `isStopped` whether people stopped the marketplace since. `porqueDetenido` is the reason of a
 * line that our own stop kept from being told.
 */
export type ActoDeArchivo<Ev = unknown> = NombreDeActo & {
  evidence: z.ZodType<Ev, unknown>;
  send(call: EffectCall<unknown>, file: Lineas & { omit(clave: string, razon: string): Promise<void> }): Promise<Ev>;
  find(
    call: EffectCall<unknown>,
    known: Ev | null,
    ours: { others(): Promise<{ sentAt: Date; answers: Ev[] }>; isStopped(): Promise<boolean> },
  ): Promise<Ev | 'absent'>;
  confirm(
    call: EffectCall<unknown>,
    evidence: Ev,
    file: Lineas & { porqueDetenido(): Promise<string | null> },
  ): Promise<(linea: CambioDePublicacion) => LineaDeArchivo>;
};

/** Keeps a listing out of the promotions that its marketplace starts by itself, and ends one of them. */
export type ExclusionDePromocion = { publicacionId: string; clave: string; tipo: string; promocion: string | null };
/**
 * The two parts of it: why the listing was not kept out, and why the offer was not removed; null where it was done. `estaba`: the offer still stood there.
 * `promociones` and `excluida` are as the marketplace shows them then; `excluida` is null where it does not.
 */
export type ExclusionHecha = {
  noExcluida: string | null;
  noQuitada: string | null;
  estaba: boolean;
  promociones: PromocionLeida[];
  excluida: boolean | null;
};

/** A listing to be put on sale, as it was accepted. `cuerpo` is what the marketplace's `Publicador` built. */
export type PorPoner = {
  productoId: string;
  sku: string;
  tipo: string;
  titulo: string;
  descripcion: string | null;
  cuerpo: Record<string, unknown>;
  imagenes: readonly { archivoId: string | null; url: string }[];
};
/** A listing that its marketplace shows, as our row keeps it. `dicho`: the words of the audit trail. */
export type PublicacionPuesta = {
  clave: string;
  dicho: string;
  mostrada: {
    marketId: string | null;
    titulo: string;
    precio: string | null;
    stock: number | null;
    estatus: string;
    categoriaId: string | null;
    link: string | null;
    tipo?: string;
    vendido?: number;
  };
};
/** Keeps the reasons of a no with the draft, for whoever corrects it. `no` is the answer as the client handed it on. */
export type Anotar = (no: unknown) => Promise<void>;
/** `porTipo`: a product has one listing of each kind there, and each is an effect of its own. */
export type ActoDePublicar<Ev = unknown> = Omit<Acto<PorPoner, PublicacionPuesta, Ev>, 'confirm'> & {
  porTipo: boolean;
  summary(request: PorPoner): Summary;
  confirm(call: EffectCall<PorPoner>, evidence: Ev, note: Anotar): Promise<PublicacionPuesta>;
};

/** A move of a listing to another category. A no carries the marketplace's reasons in `details.answer`. */
export type ActoDeCategoria = NombreDeActo & {
  send(call: EffectCall<{ clave: string; cuerpo: Record<string, unknown>; categoriaId: string }>): Promise<string>;
};

/** How far a package of ours got, as marketplaces are told. */
export type Avance = 'enCamino' | 'entregado';
/** A package that we send ourselves, as it stands. `conocido`: the marketplace numbers it. `vendida`: the marketplace sold us its label. */
export type EnvioNuestro = {
  envioId: string;
  marketId: string;
  conocido: boolean;
  propio: boolean;
  modo: string | null;
  avance: Avance | null;
  guia: string | null;
  paqueteria: string | null;
  url: string | null;
  receptorId: string | null;
  vendida: boolean;
};
/** The common part of what marketplaces are told of a package. */
export type AvisoDeEnvio = { envioId: string; marketId: string; guia: string | null; paqueteria: string | null };
/** `estado`: the word for how far it got, where the marketplace takes one; `muestra`: what the marketplace shows of it by now. */
export type AvisoRecibido = {
  respuesta: string;
  estado: string | null;
  muestra: { estatus: string; guia: string | null } | null;
};
export type ActoDeAviso<A extends AvisoDeEnvio = AvisoDeEnvio, Ev = unknown> = Acto<A, AvisoRecibido, Ev> & {
  request: z.ZodType<A, unknown>;
  /** The act in the audit trail. */
  accion: string;
  summary?(request: A): Summary;
  /** Returns the words for a package; null where the marketplace takes nothing of it, or there is nothing to say yet. */
  avisoOf(envio: EnvioNuestro): A | null;
  /** Tells whether `aviso` says nothing that `told` did not. */
  covers(told: A, aviso: A): boolean;
  /** Returns the words for a package of which the marketplace was told something before. */
  corrects?(aviso: A): A;
};

/**
 * The label of a shipment that the marketplace prints, as PDF, and in ZPL where that is asked for and given. Throws Refused with the reason when it prints
 * none.
 */
export type ActoDeImprimir = NombreDeActo & {
  fetch(
    call: EffectCall<{ marketId: string; zpl?: boolean | undefined }>,
  ): Promise<{ contenido: Buffer; zpl: Buffer | null; numero: string; paqueteria: string }>;
};

/** The purchase of a label. Nothing is bought for more than `precio`, in pesos. */
export type CompraDeGuia = {
  marketId: string;
  otraVez: boolean;
  remitente: Remitente;
  paquete: Medidas;
  servicio: { id: string; nombre: string; paqueteria: string };
  precio: string;
};
/** A label that was bought and whose file we keep. Null: the marketplace did not tell. */
export type GuiaPagada = {
  marketId: string;
  archivoId: string;
  numero: string | null;
  paqueteria: string | null;
  servicio: string | null;
  costo: string | null;
  desde: string | null;
  hasta: string | null;
};

/** The CFDI of a sale and its files, fetched when they are needed. */
export type CfdiPorEntregar = { folio: string; pdf(): Promise<Buffer>; xml(): Promise<Buffer> };
/** Hands a CFDI to the buyer. `noVigente`: why one that was cancelled meanwhile is not handed over. */
export type ActoDeEntrega<Ev = unknown> = Omit<Acto<{ numOrden: string }, string[], Ev>, 'send' | 'find'> & {
  accion: string;
  noVigente: string;
  send(call: EffectCall<{ numOrden: string }>, cfdi: CfdiPorEntregar): Promise<Ev>;
  find?(call: EffectCall<{ numOrden: string }>, folio: string): Promise<Ev | 'absent'>;
};

/** Marks a refusal of a message that may pass later: a claim ends, a payment is confirmed. Stored as the detail of the effect. */
export const TEMPORAL = 'temporal';
/** A message to the buyer of a sale, or to the agent that answers for the buyer; `para` is who got it. The marketplace takes `largo` where it has room for it, else `corto`; `find` looks for a text by a part of it. */
export type ActoDeMensaje = NombreDeActo & {
  send(
    call: EffectCall<{ numOrden: string; compradorId: string | null }>,
    texto: { largo: string; corto: string },
  ): Promise<{ messageId: string | null; para: Interlocutor }>;
  find(call: EffectCall<{ numOrden: string }>, parte: string): Promise<{ messageId: string } | 'absent'>;
};

export type RespuestaAPregunta = { marketId: string; texto: string };
export type BloqueoDeComprador = { compradorId: string; bloquear: boolean };
export type ArchivoAdjunto = { id: string; nombre: string; tipo: string };
export type MensajeEnReclamo = {
  marketId: string;
  para: 'complainant' | 'mediator';
  texto: string;
  archivos: readonly ArchivoAdjunto[];
  antes: readonly string[];
};
/** How a claim may be ended from here, in the words that effects store. */
export type Resolucion =
  | 'refund'
  | 'partial-refund'
  | 'allow-return'
  | 'allow-replace'
  | 'return-review'
  | 'return-review-fail'
  | 'open-dispute';
export type ResolucionDeReclamo = {
  marketId: string;
  resolucion: Resolucion;
  porcentaje: number | null;
  devolucionId: string | null;
  /** What is wrong with what came back, with its evidence; null for other resolutions. */
  objecion: { motivo: string; texto: string; archivos: readonly ArchivoAdjunto[] } | null;
};

/** Everything that a marketplace can be made to do from here. An act that is missing is one that the marketplace does not take. */
export type EfectosDeMercado = {
  cambiar?: ActoDeCambio;
  cambiarMuchas?: ActoDeArchivo;
  excluirDePromociones?: Acto<ExclusionDePromocion, ExclusionHecha>;
  publicar?: ActoDePublicar;
  moverCategoria?: ActoDeCategoria;
  avisarEnvio?: ActoDeAviso;
  imprimirGuia?: ActoDeImprimir;
  comprarGuia?: Acto<CompraDeGuia, GuiaPagada>;
  cancelarGuia?: Acto<{ shipmentId: string }, EstadoDeGuiaComprada>;
  entregarCfdi?: ActoDeEntrega;
  escribirEnVenta?: ActoDeMensaje;
  responder?: Acto<RespuestaAPregunta, { texto: string }>;
  bloquear?: Acto<BloqueoDeComprador, unknown>;
  escribirEnReclamo?: Acto<MensajeEnReclamo, unknown>;
  resolverReclamo?: Acto<ResolucionDeReclamo, unknown>;
};
