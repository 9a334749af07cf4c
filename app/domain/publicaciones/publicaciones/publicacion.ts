import type { Question } from '~/core/fieldRules';
import { groupBy } from '~/core/groupBy';
import { type Market, MARKETS } from '~/core/market';
import { rowOf, tableOf } from '~/core/table';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { LugarDeCompetencia } from '~db/columns';

type Tono = 'ok' | 'aviso' | 'mal' | 'neutro';

/** Returns how the state of a listing is shown; an unknown word is shown as it came. */
export const estatusOf = (market: Market, estatus: string): { label: string; tono: Tono } =>
  rowOf(MERCADOS[market].publicaciones.estatus, estatus) ?? { label: estatus, tono: 'aviso' };

/** States that are called the same, at whatever marketplace: the first code stands for all of them in a filter. */
export const ESTATUS_JUNTOS = [
  ...groupBy(
    MARKETS.flatMap((market) =>
      Object.entries(MERCADOS[market].publicaciones.estatus).map(([codigo, { label }]) => ({ codigo, label })),
    ),
    ({ label }) => label,
  ),
].map(([label, juntos]) => ({ label, codigos: juntos.map(({ codigo }) => codigo) }));

/** Why no price can be put on a listing whose price the marketplace moves. */
export const elPrecioEsDe = (label: string) =>
  `El precio lo mueve una regla puesta en ${label}: quítala allá para ponerlo aquí.`;

/** Returns the states that people may choose at a marketplace. */
export const editablesOf = (market: Market) =>
  MERCADOS[market].publicaciones.editables.map((value) => ({ value, label: estatusOf(market, value).label }));

/** Returns the kind of a listing; null where the marketplace has one kind only. */
export const tipoOf = (market: Market, tipo: string | null): string | null =>
  tipo === null ? null : (rowOf(MERCADOS[market].publicaciones.tipos, tipo) ?? null);

/** Returns the marketplace's own page to change a listing. */
export const editUrl = (market: Market, cual: { clave: string; marketId: string | null }) =>
  MERCADOS[market].publicaciones.editarUrl(cual);

const SUBESTATUS: Readonly<Record<string, string>> = tableOf({
  out_of_stock: 'Sin existencia',
  paused_by_seller: 'La pausó el vendedor',
  picture_download_pending: 'Esperando sus imágenes',
  waiting_for_patch: 'Hay que corregirla en Mercado Libre',
  warning: 'Hay que corregirla en dos días',
  held: 'Mercado Libre la detuvo',
  pending_documentation: 'Faltan documentos',
  forbidden: 'No se permite vender',
  suspended: 'Suspendida',
  expired: 'Terminó',
  deleted: 'Eliminada',
  freezed: 'Congelada',
});
const LUGARES: Readonly<Record<LugarDeCompetencia, { hoy: string; antes: string; tono: Tono }>> = {
  gana: { hoy: 'Gana', antes: 'Ganaba', tono: 'ok' },
  comparte: { hoy: 'Comparte', antes: 'Compartía', tono: 'aviso' },
  pierde: { hoy: 'Pierde', antes: 'Perdía', tono: 'mal' },
  noCompite: { hoy: 'No compite', antes: 'No competía', tono: 'neutro' },
};

/** Returns how the place of a listing among the sellers of its page is shown. After a reading that came to nothing it is told as of before. */
export const lugarOf = (lugar: LugarDeCompetencia, sigue: boolean): { label: string; tono: Tono } =>
  sigue ? { label: LUGARES[lugar].hoy, tono: LUGARES[lugar].tono } : { label: LUGARES[lugar].antes, tono: 'neutro' };

/** Returns the label of a substate; an unknown word is shown as it came. */
export const subestatusOf = (subestatus: string) => SUBESTATUS[subestatus] ?? subestatus;

export const PUBLICACION_AUSENTE = {
  titulo: 'No se encontro la publicación',
  texto: 'El enlace nombra una publicación que no está aquí.',
};

/** Why a listing was changed, in the words of its history. */
export const MOTIVO_LABEL: Readonly<Record<string, string>> = tableOf({
  proveedor: 'Cambió en el proveedor',
  venta: 'Se vendió',
  frescura: 'El dato del proveedor venció o volvió',
  regla: 'Cambió una regla',
  persona: 'Lo pidió una persona',
  revision: 'El mercado mostraba otra cosa',
});

/** Returns the stored reasons of a change, which spaces part, as people read them. */
export const motivoOf = (motivo: string) =>
  motivo
    .split(' ')
    .map((uno) => MOTIVO_LABEL[uno] ?? uno)
    .join(', ');

/** The question before a person stops the following of suppliers at a marketplace, or lets it go on. */
export const askPalanca = ({ market, detener }: { market: Market; detener: boolean }): Question => ({
  titulo: detener ? 'Detener la sincronización' : 'Continuar la sincronización',
  texto: `¿Esta seguro que desea ${detener ? 'detener' : 'continuar'} la sincronización automática?`,
  hechos: `${MERCADOS[market].label}: ${
    detener
      ? 'ningún precio ni stock se cambia solo hasta que alguien la continúe.'
      : 'lo que cambió mientras tanto se envía ahora.'
  }`,
});
