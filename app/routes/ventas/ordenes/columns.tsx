import { Fragment } from 'react';
import type { Wire } from '~/core/list';
import { ACORDADA, estatusLabel, estatusTono, estatusVisible } from '~/domain/ventas/ordenes/estatus';
import type { OrdenRow } from '~/domain/ventas/ordenes/listOrdenes.server';
import { numberedOf, numeroOfEnvio } from '~/domain/ventas/envios/envio';
import { nombreCorto } from '~/domain/compras/catalogo/producto';
import { ventaUrl } from '~/domain/ventas/ordenes/orden';
import { DosLineas, type Column } from '~/ui/DataTable';
import { Estatus, type Tono } from '~/ui/Estatus';
import { Fecha, formatHora } from '~/ui/Fecha';
import { Icono } from '~/ui/Icono';
import { ConRetrato } from '~/ui/lista/ConRetrato';
import { Pesos } from '~/ui/Pesos';
import { FolioProveedor } from '~/routes/compras/facturas/FolioProveedor';

export type Fila = Wire<OrdenRow> & { alLado?: { retrato: string | null } };
type Columna = Column<Fila, never>;

/** The tint of a sale: red where it ended, amber where no factura can be made of it as it stands. */
export const tonoOrden = ({ clase }: Fila): Tono | undefined =>
  clase === 'normal' ? undefined : clase === 'invalida' ? 'aviso' : 'mal';

const estatus = (orden: Fila) =>
  estatusVisible(
    orden,
    orden.envioEstatus === null ? null : { estatus: orden.envioEstatus, subestatus: orden.envioSubestatus },
  );

/** The text in place of a missing shipment number. */
export const sinNumero = ({ acordada }: Pick<Fila, 'acordada'>) => (acordada ? ACORDADA : 'Sin envío');

/** The columns shared by lists of sales. */
export const COLUMNAS = {
  fecha: {
    header: 'Fecha',
    sort: 'fecha',
    width: 138,
    tarjeta: 'fecha',
    cell: (orden) => <Fecha valor={orden.fechaCreacion} />,
  },
  numero: {
    header: 'No. Orden',
    tarjeta: 'numero',
    sort: 'orden',
    width: 168,
    copia: ({ numOrden }) => [numOrden],
    cell: ({ market, numOrden }) => (
      <a href={ventaUrl(market, numOrden)} target="_blank" rel="noopener noreferrer">
        {numOrden}
      </a>
    ),
  },
  titulo: {
    header: 'Título',
    tarjeta: 'titulo',
    sort: 'titulo',
    width: 222,
    opens: true,
    cell: ({ titulo }) => <span title={titulo}>{nombreCorto(titulo)}</span>,
  },
  paquete: {
    header: 'Paquete',
    width: 150,
    hideUnder: 'md',
    copia: ({ packId }) => [packId],
    cell: ({ packId }) => packId ?? '—',
  },
  envio: {
    header: 'Envío',
    width: 108,
    hideUnder: 'sm',
    copia: ({ envio }) => [numberedOf(envio)],
    cell: ({ envio, acordada }) => (envio === null ? (acordada ? ACORDADA : '—') : numeroOfEnvio(envio)),
  },
  estatus: {
    header: 'Estatus',
    tarjeta: 'estatus',
    width: 140,
    cell: (orden) => <Estatus tono={estatusTono(estatus(orden))}>{estatusLabel(estatus(orden))}</Estatus>,
  },
  rfc: { header: 'RFC', width: 138, hideUnder: 'sm', copia: ({ rfc }) => [rfc], cell: ({ rfc }) => rfc ?? '—' },
} as const satisfies Record<string, Columna>;

/** The mark of a sale that belongs to a cart. */
export const MarcaDePaquete = ({ packId }: { packId: string | null }) =>
  packId !== null && (
    <span className="de-paquete" title={`Paquete ${packId}`}>
      <Icono nombre="producto" />
      <span className="oculto">Paquete</span>
    </span>
  );

/** The same columns in two lines, with related facts together. A cart's own number is its No. Orden, so a mark is enough. */
export const DOBLES = {
  fecha: {
    header: 'Fecha',
    tarjeta: 'fecha',
    sort: 'fecha',
    width: 92,
    cell: ({ fechaCreacion }) => (
      <DosLineas debajo={formatHora(fechaCreacion)}>
        <Fecha valor={fechaCreacion} hora={false} />
      </DosLineas>
    ),
  },
  numero: {
    header: 'No. Orden / Envío',
    tarjeta: 'numero',
    sort: 'orden',
    width: 170,
    copia: ({ numOrden, envio }) => [numOrden, numberedOf(envio)],
    cell: (orden) => (
      <DosLineas
        debajo={
          <>
            {orden.envio === null ? sinNumero(orden) : numeroOfEnvio(orden.envio)}
            <MarcaDePaquete packId={orden.packId} />
          </>
        }
      >
        {COLUMNAS.numero.cell(orden)}
      </DosLineas>
    ),
  },
  titulo: {
    header: 'Título',
    tarjeta: 'titulo',
    sort: 'titulo',
    opens: true,
    cell: ({ titulo, alLado }) => (
      <ConRetrato lado={alLado}>
        <span className="dos-lineas" title={titulo}>
          {nombreCorto(titulo)}
        </span>
      </ConRetrato>
    ),
  },
} as const satisfies Record<string, Columna>;

export const pagado = {
  header: 'Monto Pagado',
  tarjeta: 'monto',
  sort: 'pagado',
  width: 118,
  align: 'right',
  cell: (orden: Fila) => <Pesos valor={orden.pagado} />,
} as const;

/** What was paid, and what the ledger of the sale tells that is left of it; an estimate has ≈, and what is unknown is not shown. */
const pagadoYQueda = {
  ...pagado,
  width: 136,
  cell: ({ pagado: importe, queda, certeza }: Fila) => (
    <DosLineas
      debajo={
        queda !== null && (
          <span className={queda.startsWith('-') ? 'perdida' : undefined}>
            Queda {certeza === 'estimada' && '≈ '}
            <Pesos valor={queda} />
          </span>
        )
      }
    >
      <Pesos valor={importe} />
    </DosLineas>
  ),
} as const;

/** The column of the factura that holds a sale now; the folio is a link where the person may download it. */
export function folioColumn(descargar?: (facturaId: string) => string): Omit<Columna, 'total'> {
  return {
    header: 'Factura',
    tarjeta: 'factura',
    width: 122,
    copia: ({ folio }) => [folio],
    cell: ({ folio, facturaId, reclamada }) =>
      folio && facturaId ? (
        descargar ? (
          <a href={descargar(facturaId)}>
            <Estatus tono="ok">{folio}</Estatus>
          </a>
        ) : (
          <Estatus tono="ok">{folio}</Estatus>
        )
      ) : reclamada ? (
        <Estatus tono="aviso">En proceso</Estatus>
      ) : (
        <Estatus tono="mal">No Facturado</Estatus>
      ),
  };
}

/** The column of the factura, with the RFC under the folio. */
export function facturaColumn(descargar?: (facturaId: string) => string): Omit<Columna, 'total'> {
  const folio = folioColumn(descargar);
  return {
    header: 'Factura / RFC',
    tarjeta: 'factura',
    width: 126,
    copia: ({ folio, rfc }) => [folio, rfc],
    cell: (orden) => <DosLineas debajo={orden.rfc}>{folio.cell(orden)}</DosLineas>,
  };
}

/** The folios of the suppliers' invoices with their amounts. A folio is a link where its supplier has a page for it. */
export const proveedorFacturas: Omit<Columna, 'total'> = {
  header: 'Facturas de proveedores',
  width: 190,
  cell: (orden) =>
    orden.proveedorFacturas.map((factura, at) => (
      <Fragment key={factura.folio}>
        {at > 0 && ', '}
        <FolioProveedor factura={factura} />
      </Fragment>
    )),
};
/** The same column in two lines, with the sum below. */
export const proveedorFacturasDobles = {
  key: 'Facturas proveedor',
  header: 'De proveedor',
  width: 150,
  align: 'right',
  cell: (orden: Fila) =>
    orden.proveedorFacturas.length === 0 ? (
      '—'
    ) : (
      <DosLineas debajo={<Pesos valor={orden.facturado} />}>{proveedorFacturas.cell(orden)}</DosLineas>
    ),
} as const;

/** The mark that the supplier was paid, and whether files prove the payment. */
export function MarcaDePago({ conArchivos }: { conArchivos: boolean }) {
  return (
    <Estatus tono="ok">
      <span>
        Pagado
        {conArchivos && (
          <>
            <span className="oculto">, con archivo</span> <Icono nombre="archivos" />
          </>
        )}
      </span>
    </Estatus>
  );
}

/** The title in two lines, or in one over the folio of the supplier's quotation and the mark of its payment. */
const tituloYCotizacion = {
  ...DOBLES.titulo,
  copia: ({ cotizacion }: Fila) => [null, cotizacion],
  cell: (orden: Fila) =>
    (orden.cotizacion ?? orden.pagos) ? (
      <ConRetrato lado={orden.alLado}>
        <DosLineas
          debajo={
            <>
              {orden.cotizacion} {orden.pagos > 0 && <MarcaDePago {...orden} />}
            </>
          }
        >
          <span title={orden.titulo}>{nombreCorto(orden.titulo)}</span>
        </DosLineas>
      </ConRetrato>
    ) : (
      DOBLES.titulo.cell(orden)
    ),
};

/** The columns of 'Ordenes'. The folio of a customer's factura opens its download. */
export function columnsOfOrdenes<T extends { pagado: string; facturado: string } | null>(
  descargar: (facturaId: string) => string,
): Column<Fila, T>[] {
  return [
    DOBLES.fecha,
    { ...DOBLES.numero, width: 168 },
    tituloYCotizacion,
    { ...pagadoYQueda, total: (totales) => <Pesos valor={totales.pagado} /> },
    { ...COLUMNAS.estatus, width: 146, hideUnder: 'sm' },
    { ...facturaColumn(descargar), width: 122, hideUnder: 'sm' },
    {
      ...proveedorFacturasDobles,
      width: 110,
      hideUnder: 'sm',
      total: (totales) => <Pesos valor={totales.facturado} />,
    },
  ];
}

/** Returns the name of a sale as it is read aloud. */
export const nombreOfOrden = ({ numOrden }: Pick<Fila, 'numOrden'>) => `la orden ${numOrden}`;
