import { Link, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { useAnswer } from '~/ui/useAnswer';
import { XmlSuelto } from '~/ui/XmlSuelto';
import type { XmlLeido } from './textos';

/** The place to drop CFDI of suppliers. */
export function XmlDrop() {
  const { search } = useLocation();
  const leido = useAnswer('subirXml')?.resultado as XmlLeido | undefined;
  return (
    <XmlSuelto
      intent="subirXml"
      titulo="XML del proveedor"
      nota="Suelta aquí facturas, notas de crédito y complementos de pago (máximo 20 de 512 KB) o elígelos."
      leidos={
        leido && (
          <p>
            {leido.dicho}{' '}
            {leido.leidos.length > 0 && (
              <Link to={withParams(search, { cfdi: leido.leidos.join(',') })} preventScrollReset>
                {leido.leidos.length === 1 ? 'Ver la factura' : `Ver las ${leido.leidos.length} facturas`}
              </Link>
            )}
          </p>
        )
      }
    />
  );
}
