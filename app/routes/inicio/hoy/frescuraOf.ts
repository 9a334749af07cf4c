import type { FrescuraDeProveedor } from '~/domain/compras/catalogo/frescura.server';
import type { Freshness } from '~/domain/sync/freshness.server';
import type { Leida } from '~/platform/hoy/leida.server';
import type { ConnectionView } from '~/platform/connections/list.server';
import type { Tono } from '~/ui/Estatus';
import { ESTADO_DE_FUENTE } from '../../area/estadoDeFuente';
import { situacionOf, type De } from '../../operacion/conexiones/situacion';

/** A far side that is connected: its state in words, and the last moment that it was read or answered; null where none is known. */
type Conectada = { kind: string; label: string; tono: Tono; dice: string; en: Date | null };
/** How fresh every far side is. */
export type Frescuras = {
  conectadas: Conectada[];
  sinConectar: { kind: string; label: string }[];
};

/** What is known of every far side. `ventas` are the sources of sales by the same reading as the bar's, `catalogos` those of suppliers. */
type Leidas = {
  conexiones: readonly (De & Pick<ConnectionView, 'kind' | 'account' | 'label'>)[];
  catalogos: readonly Pick<FrescuraDeProveedor, 'proveedor' | 'productos' | 'frescaDe' | 'caducada'>[];
  ventas: Leida<readonly Pick<Freshness, 'source' | 'state' | 'lastSuccess'>[]>;
  /** Kinds of the far sides that bring sales. */
  mercados: readonly string[];
};

const TARDE: ReadonlySet<Tono> = new Set(['aviso', 'mal']);

/** Returns how fresh every far side is. What is not known to be up to date is never said to be. */
export function frescurasOf({ conexiones, catalogos, ventas, mercados }: Leidas): Frescuras {
  const suyas = conexiones.filter(({ account }) => account === '');
  const isLinked = ({ link, linked }: De) => (link.type === 'settings' ? link.isSet : linked !== null);
  const nombre = ({ kind, label }: { kind: string; label: string }) => ({ kind, label });
  return {
    sinConectar: suyas.filter((una) => !isLinked(una)).map(nombre),
    conectadas: suyas.filter(isLinked).map((una) => {
      const { tono, dice } = situacionOf(una);
      const leida: Dicha = mercados.includes(una.kind)
        ? ventaOf(una.kind, ventas)
        : (catalogoOf(catalogos.find(({ proveedor }) => proveedor === una.kind)) ?? respuestaOf(una));
      // A pause, a link that broke and a far side that does not answer outrank what was read before; calls that fail now and then do not outrank a late reading.
      const outranks = tono === 'mal' || una.pausedAt !== null || (tono !== 'ok' && !TARDE.has(leida.tono));
      return { ...nombre(una), ...leida, ...(outranks && { tono, dice: dice.toLowerCase() }) };
    }),
  };
}

type Dicha = Pick<Conectada, 'tono' | 'dice' | 'en'>;

function ventaOf(kind: string, { valor, sinLeer }: Leidas['ventas']): Dicha {
  const fuente = valor?.find(({ source }) => source === kind);
  const { tono, largo } = ESTADO_DE_FUENTE[fuente && !sinLeer ? fuente.state : 'sinLeer'];
  return { tono, dice: largo, en: fuente?.lastSuccess ?? null };
}

/** Returns null for a supplier whose catalogue was never read whole, or is empty: it has no age. */
function catalogoOf(catalogo: Leidas['catalogos'][number] | undefined): Dicha | null {
  if (!catalogo || catalogo.productos === 0 || catalogo.frescaDe === null) return null;
  return catalogo.caducada
    ? { tono: 'aviso', dice: 'su catálogo es viejo', en: catalogo.frescaDe }
    : { tono: 'ok', dice: 'al día', en: catalogo.frescaDe };
}

/** Returns the last answer of a far side that nobody reads by the clock: its age tells nothing about what it has. */
function respuestaOf({ breaker }: De): Dicha {
  const en = breaker.reduce<Date | null>(
    (last, { lastOkAt }) => (lastOkAt && (!last || lastOkAt > last) ? lastOkAt : last),
    null,
  );
  return en ? { tono: 'neutro', dice: 'respondió', en } : { tono: 'neutro', dice: 'sin uso todavía', en: null };
}
