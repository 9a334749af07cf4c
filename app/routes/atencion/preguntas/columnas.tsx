import type { Wire } from '~/core/list';
import type { PreguntaRow } from '~/domain/atencion/preguntas/listPreguntas.server';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { estatusOfPregunta, POR_QUE_NO, preguntaUrl } from '~/domain/atencion/preguntas/pregunta';
import { DosLineas, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Fecha, formatHora } from '~/ui/Fecha';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { EsperaDe } from './EsperaDe';

export type FilaPregunta = Wire<PreguntaRow> & { alLado?: { retrato: string | null } };
type Columna = Column<FilaPregunta, never>;

/** As many letters of a question as its row shows. */
const MAX = 90;

export const nombreOfPregunta = ({ marketId }: Pick<FilaPregunta, 'marketId'>) => `la pregunta ${marketId}`;

export const COLUMNAS = {
  fecha: {
    header: 'Fecha',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 104,
    cell: ({ fecha }) => (
      <DosLineas debajo={formatHora(fecha)}>
        <Fecha valor={fecha} hora={false} />
      </DosLineas>
    ),
  },
  pregunta: {
    header: 'Pregunta',
    tarjeta: 'titulo',
    opens: true,
    cell: ({ texto, titulo, publicacionId, alLado }) => (
      <ConRetrato lado={alLado}>
        <DosLineas debajo={nombreCorto(titulo ?? publicacionId)}>
          <span title={texto}>{nombreCorto(texto, MAX) || 'Mercado Libre no muestra su texto'}</span>
        </DosLineas>
      </ConRetrato>
    ),
  },
  estatus: {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 148,
    cell: ({ estatus }) => (
      <DosLineas debajo={POR_QUE_NO[estatus] ?? ''}>
        <Estatus tono={estatus === 'respondida' ? 'ok' : estatus === 'pendiente' ? 'aviso' : 'neutro'}>
          {estatusOfPregunta(estatus)}
        </Estatus>
      </DosLineas>
    ),
  },
  link: {
    header: 'Link',
    width: 146,
    hideUnder: 'md',
    copia: ({ publicacionId }) => [publicacionId],
    cell: (pregunta) => (
      <a href={preguntaUrl(pregunta)} target="_blank" rel="noopener noreferrer">
        {pregunta.publicacionId}
      </a>
    ),
  },
} as const satisfies Record<string, Columna>;

/** The column compares the time of the answer with the hour that the marketplace allows. */
export const respuestaAt = <Totales,>(ahora: string): Column<FilaPregunta, Totales> => ({
  header: 'Respuesta',
  tarjeta: 'monto',
  sort: 'respuesta',
  width: 112,
  cell: (pregunta) => <EsperaDe pregunta={pregunta} ahora={ahora} />,
});
