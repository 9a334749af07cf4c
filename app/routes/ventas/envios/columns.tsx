import type { Wire } from '~/core/list';
import { estatusOfEnvio, numeroOfEnvio, rastreoUrl } from '~/domain/ventas/envios/envio';
import type { EnvioRow } from '~/domain/ventas/envios/listEnvios.server';
import { estatusLabel, estatusTono } from '~/domain/ventas/ordenes/estatus';
import { DosLineas, type Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Fecha, formatHora } from '~/ui/Fecha';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { Pesos } from '~/ui/Pesos';
import { Rastreo } from './Rastreo';

export type FilaEnvio = Wire<EnvioRow> & { alLado?: { retrato: string | null } };
type Columna = Column<FilaEnvio, { registros: number; costo: string }>;

/** Returns the name of a shipment as it is read aloud. */
export const nombreOfEnvio = ({ marketId }: FilaEnvio) => `el envío ${numeroOfEnvio(marketId)}`;

/** The columns shared by lists of shipments. */
export const COLUMNAS = {
  fecha: {
    header: 'Creación',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 96,
    cell: ({ fechaCreacion }) => <Instante valor={fechaCreacion} />,
  },
  actualizado: {
    header: 'Actualización',
    sort: 'actualizado',
    width: 112,
    hideUnder: 'md',
    cell: ({ actualizadoEn }) => <Instante valor={actualizadoEn} />,
  },
  estatus: {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 140,
    cell: (envio) => <Estatus tono={estatusTono(estatusOfEnvio(envio))}>{estatusLabel(estatusOfEnvio(envio))}</Estatus>,
  },
  id: {
    header: 'ID',
    width: 232,
    opens: true,
    tarjeta: 'numero',
    // Own shipments have no number.
    copia: ({ marketId }) => [numeroOfEnvio(marketId) === marketId ? marketId : null],
    cell: ({ marketId, alLado }) => <ConRetrato lado={alLado}>{numeroOfEnvio(marketId)}</ConRetrato>,
  },
  paqueteria: {
    header: 'Paquetería',
    tarjeta: 'factura',
    width: 128,
    cell: (envio) => <Rastreo envio={envio}>{envio.paqueteria}</Rastreo>,
  },
  guia: {
    header: 'Número de guía',
    width: 170,
    // A tracking number whose carrier has no page gets a copy button of its own.
    copia: (envio) => [rastreoUrl(envio) ? envio.guia : null],
    cell: (envio) => <Rastreo envio={envio} />,
  },
  costo: {
    header: 'Costo del envío',
    tarjeta: 'monto',
    sort: 'costo',
    width: 134,
    align: 'right',
    cell: (envio) => <Pesos valor={envio.costo} />,
    total: ({ costo }) => <Pesos valor={costo} />,
  },
  localidad: {
    header: 'Municipio o ciudad',
    tarjeta: 'titulo',
    cell: ({ localidad, estado }) => (
      <DosLineas debajo={estado}>
        <span title={localidad ?? undefined}>{localidad ?? '—'}</span>
      </DosLineas>
    ),
  },
} as const satisfies Record<string, Columna>;

const Instante = ({ valor }: { valor: string }) => (
  <DosLineas debajo={formatHora(valor)}>
    <Fecha valor={valor} hora={false} />
  </DosLineas>
);
