import { deferredPart } from '~/ui/deferredPart';
import { definePanel } from '~/ui/ficha/panel';
import { ListScreen, type ListScreenProps } from '~/ui/ListScreen';
import { ABRE, ORDEN_AUSENTE } from '~/routes/compras/facturas/textos';
import type { DialogosAbiertos, OrdenAbierta } from './record';
import './orden.css';

const ProveedorFacturaDialog = deferredPart('ProveedorFacturaDialog', () =>
  import('~/routes/compras/facturas/ProveedorFacturaDialog').then(
    ({ ProveedorFacturaDialog }) => ProveedorFacturaDialog,
  ),
);

/** The invoices of a sale's suppliers take the place of its panel while they are open. */
const PANEL = definePanel<OrdenAbierta>('OrdenFicha', {
  load: async () => (await import('./OrdenFicha')).OrdenFicha,
  que: 'Orden',
  ausente: ORDEN_AUSENTE,
  cede: ABRE,
});

/** Intents about a sale that a button sends without a form of its own. */
const BY_BUTTON = [
  'entregar',
  'enlace',
  'correo',
  'direccion',
  'revocarEnlace',
  'reintentar',
  'comprarGuia',
  'cancelarGuia',
  'revisarReembolso',
] as const;

type Props<Row, Totales extends { registros: number } | null> = Omit<
  ListScreenProps<Row, Totales, OrdenAbierta>,
  'panel' | 'refusals' | 'cancelar'
> &
  Partial<Pick<DialogosAbiertos, 'deProveedor'>>;

/**
 * A list of sales: `ListScreen` with the panel of a sale, the refusals of what a row or the panel sends, and the invoices of suppliers that the address opens.
 * While those invoices are open their dialog asks the questions.
 */
export function OrdenesScreen<Row, Totales extends { registros: number } | null>({
  deProveedor,
  children,
  ...screen
}: Props<Row, Totales>) {
  return (
    <ListScreen {...screen} panel={PANEL} refusals={BY_BUTTON} cancelar={deProveedor ? false : undefined}>
      {deProveedor && <ProveedorFacturaDialog abierta={deProveedor} />}
      {children}
    </ListScreen>
  );
}
