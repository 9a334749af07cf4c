import type { Wire } from '~/core/list';
import { estatusDeEnvio } from '~/domain/envios/envio';
import type { EnvioRow } from '~/domain/envios/listEnvios.server';
import { estatusLabel, estatusTono } from '~/domain/ordenes/estatus';
import type { Column } from '~/ui/DataTable';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { Pesos } from '~/ui/Pesos';
import { Rastreo } from './Rastreo';

export type FilaEnvio = Wire<EnvioRow>;
type Columna = Column<FilaEnvio, { registros: number; costo: string }>;

/** The columns that lists of shipments share. */
export const COLUMNAS = {
  fecha: { header: 'Fecha de creación', sort: 'fecha', width: 146, cell: (envio) => <Fecha valor={envio.fechaCreacion} /> },
  actualizado: { header: 'Última actualización', sort: 'actualizado', width: 160, hideUnder: 'md', cell: (envio) => <Fecha valor={envio.actualizadoEn} /> },
  estatus: { header: 'Estatus', width: 150, cell: (envio) => <Estatus tono={estatusTono(estatusDeEnvio(envio))}>{estatusLabel(estatusDeEnvio(envio))}</Estatus> },
  id: { header: 'ID', width: 180, opens: true, cell: (envio) => envio.marketId },
  paqueteria: { header: 'Paquetería', width: 140, cell: (envio) => <Rastreo envio={envio}>{envio.paqueteria}</Rastreo> },
  guia: { header: 'Número de guía', width: 190, cell: (envio) => <Rastreo envio={envio} /> },
  costo: { header: 'Costo del envío', sort: 'costo', width: 130, align: 'right', cell: (envio) => <Pesos valor={envio.costo} />, total: ({ costo }) => <Pesos valor={costo} /> },
  estado: { header: 'Estado', width: 160, cell: (envio) => envio.estado ?? '—' },
  localidad: { header: 'Municipio o ciudad', cell: (envio) => envio.localidad ?? '—' },
} as const satisfies Record<string, Columna>;
