import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { withParams } from '~/core/list';
import { tableOf } from '~/core/table';
import { formaOfPedido, SURTIR } from '~/routes/compras/pedidos/PedidosDeOrden';
import { ImprimirGuia } from '~/routes/ventas/envios/ImprimirGuia';
import { isEditable } from './DatosEnvio';
import type { OrdenAbierta } from './record';

type Espera = OrdenAbierta['esperas'][number];
type En = { orden: OrdenAbierta; area: string; search: string; hrefOf: (pantalla: string) => string | undefined };

/** The next step of a sale: what waits first and this person can see to, with the button that does it. Undefined where nothing of the kind waits. */
export function siguienteOf({ orden, area, search, hrefOf }: En): { espera: Espera; boton: ReactNode } | undefined {
  for (const espera of orden.esperas) {
    const boton = botonOf(espera, { orden, area, search, hrefOf });
    if (boton) return { espera, boton };
  }
  return undefined;
}

/** Words of the links that lead to the screen where a step is done. */
const LLEVA: Readonly<Record<string, string>> = tableOf({
  reclamo: 'Contestar el reclamo',
  cancelarPedido: 'Abrir el pedido',
  confirmar: 'Confirmar el pedido',
  folio: 'Guardar el folio',
  facturar: 'Facturar',
});

function botonOf({ paso, de, pantalla }: Espera, { orden, area, search, hrefOf }: En): ReactNode {
  const { puede } = orden;
  const acento = { className: 'boton', 'data-tono': 'acento' } as const;
  const dice = LLEVA[paso];
  if (dice !== undefined) {
    const a = pantalla === null || (paso === 'facturar' && !puede.operar) ? undefined : hrefOf(pantalla);
    return (
      a && (
        <a {...acento} href={a}>
          {dice}
        </a>
      )
    );
  }
  if (paso === 'surtir')
    return (
      puede.surtir && (
        <button type="submit" form={SURTIR} {...acento}>
          Surtir con stock interno
        </button>
      )
    );
  if (paso === 'pedir') {
    const label = orden.porPedir.find(({ proveedor }) => proveedor === de)?.label;
    return (
      puede.pedir && (
        <button type="submit" form={formaOfPedido(de)} {...acento}>
          Hacer pedido a {label}
        </button>
      )
    );
  }
  if (paso === 'direccion')
    return (
      isEditable(orden) &&
      orden.editar !== 'envio' &&
      orden.editar !== 'propuesta' && (
        <Link {...acento} to={withParams(search, { editar: 'envio' })} preventScrollReset replace>
          Llenar datos de envío
        </Link>
      )
    );
  if (paso === 'enviar')
    return puede.operar && orden.porImprimir && <ImprimirGuia guia={orden.porImprimir} area={area} principal />;
  return null;
}
