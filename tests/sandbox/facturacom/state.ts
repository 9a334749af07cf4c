/** The memory of the PAC. Every change is one line of the journal, so a stamp costs one append and a killed process loses nothing. */
import { randomBytes } from 'node:crypto';
import type { Store } from '../service';
import { makeKeys, sealers, type KeyPems, type Sealer } from './certificados';
import { printed, type Print } from './pdf';
import clientes from './data/clientes.json';
import contribuyentes from './data/contribuyentes.json';

export interface Contribuyente {
  rfc: string;
  nombre: string;
  cp: string;
  regimenes: string[];
}

export interface Cliente {
  uid: string;
  rfc: string;
  razons: string;
  codpos: string;
  regimen: string;
  usocfdi: string;
  email: string;
  /** Other fields that were sent, under their own names: calle, telefono, email2... */
  otros: Partial<Record<string, string>>;
}

export interface Serie {
  id: number;
  nombre: string;
  tipo: string;
  descripcion: string;
  activa: boolean;
  siguiente: number;
}

export interface Cancelacion {
  motivo: string;
  folioSustituto?: string;
  estatus: string;
  acuse: string;
}

export interface Cfdi {
  uid: string;
  uuid: string;
  serie: string;
  folio: number;
  tipo: 'I' | 'E';
  tipoDocumento: string;
  numOrder: string;
  rfc: string;
  nombre: string;
  clienteUid: string;
  subTotal: string;
  descuento: string;
  total: string;
  fechaTimbrado: string;
  creado: string;
  comentarios: string;
  relacionados: { tipo: string; uuids: string[] }[];
  sat: { noCertificadoSat: string; selloSat: string; selloCfd: string };
  xml: string;
  estado: 'vigente' | 'cancelando' | 'cancelada';
  cancelacion?: Cancelacion;
}

type Line =
  | { t: 'llaves'; keys: KeyPems }
  | { t: 'cliente'; cliente: Cliente }
  | { t: 'cliente-baja'; uid: string }
  | { t: 'serie'; serie: Serie }
  | { t: 'contribuyente'; contribuyente: Contribuyente }
  | { t: 'cfdi'; cfdi: Cfdi }
  | { t: 'estado'; uid: string; estado: Cfdi['estado']; cancelacion?: Cancelacion };

/**
 * The form in which the account speaks where no source says it, or where the vendor's pages of two years differ. Each word is one reading of the
 * sources, and a client lives with all of them.
 */
export interface Forma {
  /** Age of the account. 'actual' lists by POST and says no word of success; 'anterior' lists by GET and says two. */
  edad: 'actual' | 'anterior';
  /** Spelling of the short id in every answer. */
  uid: 'UID' | 'uid' | 'Uid';
  /** Whether every number travels as text. */
  numerosComoTexto: boolean;
  /** Whether every JSON begins with a byte order mark. */
  bom: boolean;
  contentType: string;
  /** Answer of a month without CFDI: one page, no page, or an error. */
  mesVacio: 'uno' | 'cero' | 'error';
  /** Answer of a search that finds nothing, among clients or in the old list. */
  nada: 'error' | 'otras-palabras' | '404' | '404-html';
  /** Whether a repeated order number is noticed before the document is validated, or only after. */
  repetido: 'antes' | 'despues';
}

export const FORMAS = {
  edad: ['actual', 'anterior'],
  uid: ['UID', 'uid', 'Uid'],
  numerosComoTexto: [false, true],
  bom: [false, true],
  contentType: ['application/json; charset=utf-8', 'text/html; charset=UTF-8', 'text/plain'],
  mesVacio: ['uno', 'cero', 'error'],
  nada: ['error', 'otras-palabras', '404', '404-html'],
  repetido: ['antes', 'despues'],
} as const satisfies { [name in keyof Forma]: readonly unknown[] };

const FIRST_FORMA: Forma = {
  edad: 'actual',
  uid: 'UID',
  numerosComoTexto: false,
  bom: false,
  contentType: 'application/json; charset=utf-8',
  mesVacio: 'uno',
  nada: 'error',
  repetido: 'antes',
};

export interface Switches {
  cancelar: 'at-once' | 'in-process' | 'reject';
  aceptaTodo: boolean;
  /** Whether InformacionGlobal is required in an E to the general public too. */
  globalEnEgresos: boolean;
  /** Whether the Importe of a concept is always computed, even if one was sent. */
  ignoraImporte: boolean;
  /** Whether a repeated order number is stamped again. */
  admiteRepetidos: boolean;
  forma: Forma;
}

/** The costliest parts of the PAC, which a caller may bring: its keys, and the printing of a CFDI. */
export interface Workshop {
  makeKeys?(): KeyPems;
  print?: Print;
}

const FIRST_SWITCHES: Switches = {
  cancelar: 'at-once',
  aceptaTodo: false,
  globalEnEgresos: false,
  ignoraImporte: false,
  admiteRepetidos: false,
  forma: FIRST_FORMA,
};

const FIRST_SERIES: Serie[] = [
  { id: 17317, nombre: 'F', tipo: 'factura', descripcion: 'Factura', activa: true, siguiente: 1 },
  { id: 17318, nombre: 'NC', tipo: 'nota_credito', descripcion: 'Nota de crédito', activa: true, siguiente: 1 },
];

export class State {
  switches: Switches = { ...FIRST_SWITCHES };
  /** Words of the SAT about the cancellation of a CFDI, by UUID, while they lag behind. An empty word is a SAT that knows of no request. */
  satDice = new Map<string, string>();
  clientes = new Map<string, Cliente>();
  series = new Map<number, Serie>();
  contribuyentes = new Map<string, Contribuyente>();
  private cfdis = new Map<string, Cfdi>();
  private byUuid = new Map<string, Cfdi>();
  private byNumOrder = new Map<string, Cfdi>();
  private perCliente = new Map<string, number>();
  private keys: KeyPems | undefined;
  private sealing: { emisor: Sealer; pac: Sealer } | undefined;

  readonly print: Print;
  private readonly makeKeys: () => KeyPems;

  constructor(
    private readonly store: Store,
    workshop: Workshop = {},
  ) {
    this.print = workshop.print ?? printed;
    this.makeKeys = workshop.makeKeys ?? makeKeys;
    this.forget();
    for (const line of store.records() as Line[]) this.apply(line);
  }

  private forget() {
    this.switches = { ...FIRST_SWITCHES };
    this.clientes = new Map((clientes as Cliente[]).map((one) => [one.uid, one]));
    this.series = new Map(FIRST_SERIES.map((serie) => [serie.id, { ...serie }]));
    this.contribuyentes = new Map(contribuyentes.map((one) => [one.rfc, one]));
    this.cfdis = new Map();
    this.byUuid = new Map();
    this.byNumOrder = new Map();
    this.perCliente = new Map();
  }

  private apply(line: Line) {
    switch (line.t) {
      case 'llaves':
        this.keys = line.keys;
        break;
      case 'cliente':
        this.clientes.set(line.cliente.uid, line.cliente);
        break;
      case 'cliente-baja':
        this.clientes.delete(line.uid);
        break;
      case 'serie':
        this.series.set(line.serie.id, line.serie);
        break;
      case 'contribuyente':
        this.contribuyentes.set(line.contribuyente.rfc, line.contribuyente);
        break;
      case 'cfdi':
        this.index(line.cfdi);
        break;
      case 'estado': {
        const cfdi = this.cfdis.get(line.uid);
        if (cfdi) Object.assign(cfdi, { estado: line.estado, cancelacion: line.cancelacion });
        break;
      }
    }
  }

  private index(cfdi: Cfdi) {
    this.cfdis.set(cfdi.uid, cfdi);
    this.byUuid.set(cfdi.uuid, cfdi);
    this.perCliente.set(cfdi.clienteUid, this.countOf(cfdi.clienteUid) + 1);
    if (cfdi.numOrder) this.byNumOrder.set(cfdi.numOrder, cfdi);
    for (const serie of this.series.values()) {
      if (serie.nombre === cfdi.serie) serie.siguiente = Math.max(serie.siguiente, cfdi.folio + 1);
    }
  }

  private write(line: Line) {
    this.store.append(line);
    this.apply(line);
  }

  /** The seals, made when first needed, which takes a third of a second. A reset keeps them, so that earlier stamps can still be verified. */
  sealers(): { emisor: Sealer; pac: Sealer } {
    if (!this.keys) this.write({ t: 'llaves', keys: this.makeKeys() });
    if (!this.keys) throw new Error('no keys');
    this.sealing ??= sealers(this.keys);
    return this.sealing;
  }

  saveCliente = (cliente: Cliente) => this.write({ t: 'cliente', cliente });
  dropCliente = (uid: string) => this.write({ t: 'cliente-baja', uid });
  saveSerie = (serie: Serie) => this.write({ t: 'serie', serie });
  saveContribuyente = (contribuyente: Contribuyente) => this.write({ t: 'contribuyente', contribuyente });
  saveCfdi = (cfdi: Cfdi) => this.write({ t: 'cfdi', cfdi });
  setEstado = (uid: string, estado: Cfdi['estado'], cancelacion: Cancelacion | undefined) =>
    this.write({ t: 'estado', uid, estado, cancelacion });

  changeForma(changes: Partial<Forma>) {
    this.changeSwitches({ forma: { ...this.switches.forma, ...changes } });
  }

  /** Sets the ways of the first day. */
  resetForma() {
    this.changeSwitches({ forma: FIRST_FORMA });
  }

  changeSwitches(changes: Partial<Switches>) {
    this.switches = { ...this.switches, ...changes };
    this.store.changed();
  }

  /** All CFDI, the oldest first. */
  allCfdis(): Cfdi[] {
    return [...this.cfdis.values()];
  }

  countCfdis(): number {
    return this.cfdis.size;
  }

  countOf(clienteUid: string): number {
    return this.perCliente.get(clienteUid) ?? 0;
  }

  findCfdi(uidOrUuid: string): Cfdi | undefined {
    return this.cfdis.get(uidOrUuid) ?? this.byUuid.get(uidOrUuid.toUpperCase());
  }

  findByNumOrder(numOrder: string): Cfdi | undefined {
    return this.byNumOrder.get(numOrder);
  }

  /** Documents in force whose relations name a CFDI. */
  relatedTo(uuid: string): Cfdi[] {
    return this.allCfdis().filter(
      (cfdi) => cfdi.estado !== 'cancelada' && cfdi.relacionados.some(({ uuids }) => uuids.includes(uuid)),
    );
  }

  reset() {
    const keys = this.keys;
    this.store.clear();
    this.forget();
    if (keys) this.write({ t: 'llaves', keys });
  }
}

/** A new short id: 13 hexadecimal characters, like '5c06fa8b3bbe6'. */
export function newUid(): string {
  return randomBytes(7).toString('hex').slice(0, 13);
}
