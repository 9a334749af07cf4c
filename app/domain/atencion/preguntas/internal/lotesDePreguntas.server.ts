import { NotAllowed } from '~/core/errors';
import { cuantas } from '~/platform/batches/batch';
import type { Accion } from '~/platform/batches/prepared.server';
import type { Trx } from '~db/client.server';
import { responderList } from '../listPreguntas.server';
import { faltaLlenar, fill, type Variables } from '../plantilla';
import { MAX_RESPUESTA, POR_QUE_NO, TITULO_PREGUNTA } from '../pregunta';
import { RespuestaAVarias } from '../preguntaForm';
import { queueRespuesta } from '../responderPregunta.server';
import { espera } from './espera.server';
import { productoOf, variablesOf } from './variables.server';

/** A question with what an answer to it would say. */
type Vista = Awaited<ReturnType<typeof read>>[number] & { dicho: string | null; impedimento: string | null };

const read = (trx: Trx, ids: readonly string[]) =>
  trx
    .selectFrom('pregunta')
    .select(['id', 'marketId', 'texto', 'titulo', 'marca', 'modelo', 'sku', 'enlace', 'estatus', 'version'])
    .select(espera('pregunta').as('espera'))
    .where('id', 'in', [...ids])
    .execute();

/** Returns why a question gets no answer of this text; null when it does. */
function obstacleOf({ estatus, espera }: Awaited<ReturnType<typeof read>>[number], dicho: string | null) {
  if (estatus === 'respondida') return 'Ya está respondida.';
  if (estatus !== 'pendiente') return `${POR_QUE_NO[estatus] ?? 'Ya no se puede responder'}.`;
  if (!espera) return 'Otra respuesta va en camino.';
  if (dicho === null) return null;
  const sobran = dicho.length - MAX_RESPUESTA;
  return faltaLlenar(dicho) ?? (sobran > 0 ? `A la respuesta le sobran ${sobran} caracteres.` : null);
}

async function lookAt(trx: Trx, ids: readonly string[], datos: unknown): Promise<Vista[]> {
  const texto = datos === null ? null : RespuestaAVarias.parse(datos).texto;
  const preguntas = await read(trx, ids);
  const productos = new Map<string | null, Awaited<ReturnType<typeof productoOf>>>();
  const vistas: Vista[] = [];
  for (const pregunta of preguntas) {
    const { sku } = pregunta;
    if (texto !== null && !productos.has(sku)) productos.set(sku, await productoOf(trx, sku));
    const variables: Variables = variablesOf(pregunta, productos.get(sku) ?? null);
    const dicho = texto === null ? null : fill(texto, variables);
    vistas.push({ ...pregunta, dicho, impedimento: obstacleOf(pregunta, dicho) });
  }
  return vistas;
}

/** The mark holds the whole answer, so that each buyer gets the words that were shown. */
const vistoOf = ({ version, dicho }: Vista) => JSON.stringify([version, dicho]);

/**
 * Answers many questions with one text. The words between braces are filled for the listing of each, and each answer stands in the question before the
 * yes. A row of 'Responder preguntas' stands for all that wait at its listing.
 */
export const responderVarias: Accion = {
  accion: 'pregunta.responder',
  boton: 'Responder',
  nombres: { una: 'pregunta', muchas: 'preguntas', clave: 'Pregunta', titulo: 'Respuesta' },
  most: 200,
  pide: { Datos: RespuestaAVarias },
  detenible: true,
  hecho: 'Las preguntas se respondieron de forma correcta.',
  fallo: TITULO_PREGUNTA,
  pregunta: (n) => ({
    titulo: 'Responder preguntas',
    texto: '¿Está seguro que desea responder las preguntas?',
    hechos: `${cuantas(n, 'respuesta', 'respuestas')}, cada una como está abajo. Las ve todo el que abra la publicación.`,
  }),
  async rowsOf(trx, lista, filas) {
    if (lista !== responderList.lista) return [...filas];
    const rows = await trx
      .selectFrom('pregunta as cabeza')
      .innerJoin('pregunta', (join) =>
        join
          .onRef('pregunta.market', '=', 'cabeza.market')
          .onRef('pregunta.publicacionId', '=', 'cabeza.publicacionId'),
      )
      .select('pregunta.id')
      .where('cabeza.id', 'in', [...filas])
      .where(espera('pregunta'))
      .orderBy('pregunta.fecha')
      .orderBy('pregunta.id')
      .execute();
    return rows.map(({ id }) => id);
  },
  look: async (trx, ids, _ahora, { datos }) =>
    (await lookAt(trx, ids, datos)).map((vista) => ({
      id: vista.id,
      clave: vista.texto,
      titulo: vista.dicho ?? '',
      importe: null,
      visto: vistoOf(vista),
      impedimento: vista.impedimento,
    })),
  async lock(trx, id, { datos }) {
    await trx.selectFrom('pregunta').select('id').where('id', '=', id).forUpdate().execute();
    const [vista] = await lookAt(trx, [id], datos);
    return vista && vistoOf(vista);
  },
  async apply(trx, id, { usuarioId, datos }) {
    const [vista] = await lookAt(trx, [id], datos);
    if (vista?.dicho == null || vista.impedimento !== null)
      throw new NotAllowed(TITULO_PREGUNTA, vista?.impedimento ?? 'La pregunta ya no existe.');
    return [await queueRespuesta(trx, { pregunta: id, version: vista.version, texto: vista.dicho }, usuarioId)];
  },
};
