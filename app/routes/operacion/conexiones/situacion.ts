import type { ConnectionView } from '~/platform/connections/list.server';
import type { Tono } from '~/ui/Estatus';
import { formatFecha } from '~/ui/Fecha';

/** The act that comes next for a far side; its button is the one primary of the card. `empresas` leads to the screen that ends a pause. */
export type Principal = 'empresas' | 'activar' | 'llaves' | 'probar';

/** The state of a far side in words, since when, and the remedy. */
export type Situacion = {
  tono: Tono;
  dice: string;
  /** Null where nothing tells since when. */
  desde: Date | null;
  /** The reason, for people. */
  motivo: string | null;
  /** The next step, as a link says it; null where nothing is to be done. */
  sigue: string | null;
  principal: Principal | null;
  /** True where nothing goes on until somebody looks: the card is open at first. */
  urge: boolean;
};

export type De = Pick<
  ConnectionView,
  'pausedAt' | 'accountProblem' | 'accountSince' | 'linked' | 'link' | 'breaker' | 'seen' | 'prueba'
>;

type Instantes = readonly (Date | null)[];
const latestOf = (instantes: Instantes): Date | null =>
  instantes.reduce((last, one) => (one && (!last || one > last) ? one : last), null);

const QUIETA = { motivo: null, urge: false } as const;

/** A far side with its situation and the sentence about its last test; null where it cannot be tested. Both are made on the server. */
export type Vista = ConnectionView & { situacion: Situacion; dicha: string | null };

/** Returns a far side with all that its row and its card say. */
export const vistaOf = (conexion: ConnectionView): Vista => ({
  ...conexion,
  situacion: situacionOf(conexion),
  dicha: sePrueba(conexion) ? ultimaPruebaDicha(conexion) : null,
});

/** Returns the situation of a far side. A pause outranks a missing link, which outranks what calls say. */
export function situacionOf(conexion: De): Situacion {
  const { pausedAt, accountProblem, accountSince, linked, link, breaker, seen } = conexion;
  if (pausedAt)
    return {
      ...QUIETA,
      tono: 'aviso',
      dice: 'En pausa',
      desde: pausedAt,
      sigue: 'Activar en Empresas',
      principal: 'empresas',
    };
  if (link.type === 'settings' ? !link.isSet : !linked) return sinVinculo(link);
  const otraVez = remedioOf(link);
  if (linked?.status === 'broken')
    return {
      ...otraVez,
      tono: 'mal',
      dice: 'Activada y desconectada',
      desde: linked.updatedAt,
      motivo: linked.detail,
      urge: true,
    };
  if (accountProblem)
    return {
      ...otraVez,
      tono: 'mal',
      dice: 'Problema con la cuenta',
      desde: accountSince,
      motivo: accountProblem,
      urge: true,
    };
  const probar = { sigue: 'Probar', principal: 'probar' } as const;
  const rests = breaker.filter(({ state }) => state === 'descansa' || state === 'prueba');
  if (rests.length > 0)
    return {
      ...probar,
      tono: 'mal',
      dice: 'No responde',
      desde: latestOf(rests.map(({ lastOkAt, lastErrorAt }) => lastOkAt ?? lastErrorAt)),
      motivo: rests.find(({ lastError }) => lastError)?.lastError ?? null,
      urge: true,
    };
  const fails = breaker.filter(({ failures }) => failures > 0);
  if (fails.length > 0)
    return {
      ...probar,
      tono: 'aviso',
      dice: 'Falla a ratos',
      desde: latestOf(fails.map(({ lastErrorAt }) => lastErrorAt)),
      motivo: fails.find(({ lastError }) => lastError)?.lastError ?? null,
      urge: false,
    };
  const malo = seen.find(({ tono }) => tono === 'mal');
  if (malo)
    return {
      tono: 'mal',
      dice: 'Pide atención',
      desde: null,
      motivo: malo.texto,
      sigue: 'Ver qué pasa',
      principal: 'probar',
      urge: true,
    };
  return {
    ...QUIETA,
    tono: 'ok',
    dice: 'Vinculada',
    desde: linked?.linkedAt ?? null,
    sigue: null,
    principal: 'probar',
  };
}

function sinVinculo(link: De['link']): Situacion {
  const nunca = { ...QUIETA, tono: 'neutro', desde: null } as const;
  if (link.type === 'settings')
    return { ...nunca, dice: 'Sin configurar', sigue: 'Ver dónde se configura', principal: null };
  if (link.type === 'keys') return { ...nunca, dice: 'Sin vincular', sigue: 'Guardar sus llaves', principal: 'llaves' };
  return link.falta.length > 0
    ? { ...nunca, dice: 'Sin vincular', sigue: 'Ver qué falta', principal: null }
    : { ...nunca, dice: 'Sin vincular', sigue: 'Activar', principal: 'activar' };
}

/** Returns the remedy of an account that the far side does not accept any more. */
function remedioOf(link: De['link']): Pick<Situacion, 'sigue' | 'principal'> {
  if (link.type === 'keys') return { sigue: 'Guardar llaves nuevas', principal: 'llaves' };
  if (link.type === 'settings') return { sigue: 'Probar', principal: 'probar' };
  return link.falta.length > 0
    ? { sigue: 'Ver qué falta', principal: null }
    : { sigue: 'Activar otra vez', principal: 'activar' };
}

/** Returns whether a far side can be tested: it is linked, or the server has its settings. */
const sePrueba = ({ link, linked }: Pick<De, 'link' | 'linked'>): boolean =>
  link.type === 'settings' ? link.isSet : linked !== null;

const sinPunto = (texto: string) => (texto.endsWith('.') ? texto.slice(0, -1) : texto);

/**
 * Returns the sentence about the last test: when, by whom, what came of it, and what real calls said since. A test of an earlier link says nothing of this one.
 */
export function ultimaPruebaDicha({
  prueba,
  breaker,
  accountProblem,
  accountSince,
  linked,
}: Omit<De, 'pausedAt' | 'link' | 'seen'>): string {
  const suya = prueba && (!linked || prueba.en >= linked.linkedAt) ? prueba : null;
  const since = suya?.en ?? linked?.linkedAt;
  const isSince = (en: Date | null) => en !== null && (since === undefined || en > since);
  const bien = latestOf(breaker.map(({ lastOkAt }) => lastOkAt).filter(isSince));
  const fallas = [
    ...breaker.map(({ lastError, lastErrorAt }) => ({ en: lastErrorAt, dice: lastError })),
    { en: accountSince, dice: accountProblem },
  ].filter(({ en }) => isSince(en));
  const falla = latestOf(fallas.map(({ en }) => en));
  const dice = sinPunto(fallas.find(({ en }) => en === falla)?.dice ?? '');
  const llamadas = llamadasDichas({ bien, falla, dice, despues: suya !== null });
  if (!suya) return `Nadie la ha probado todavía. ${llamadas || 'Tampoco se ha llamado.'}`;
  const resultado = suya.problema === null ? 'respondió bien' : `falló: ${sinPunto(suya.problema)}`;
  const nada = suya.problema === null ? '' : 'Desde entonces no consta otra respuesta.';
  return `Última prueba, de ${suya.por}, el ${formatFecha(suya.en)}: ${resultado}. ${llamadas || nada}`.trim();
}

type Llamadas = { bien: Date | null; falla: Date | null; dice: string; despues: boolean };

function llamadasDichas({ bien, falla, dice, despues }: Llamadas): string {
  const inicio = despues ? 'Después' : 'En el uso';
  if (bien && falla)
    return bien > falla
      ? `${inicio} falló una llamada, el ${formatFecha(falla)}, y ya responde: la última vez, el ${formatFecha(bien)}.`
      : `${inicio} respondió, la última vez el ${formatFecha(bien)}, y falló el ${formatFecha(falla)}: ${dice}.`;
  if (bien) return `${inicio} respondió a lo que se le pidió; la última vez, el ${formatFecha(bien)}.`;
  return falla ? `${inicio} falló una llamada, el ${formatFecha(falla)}: ${dice}.` : '';
}
