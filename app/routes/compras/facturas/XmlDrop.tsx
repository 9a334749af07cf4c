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
      nota="Suelta aquí uno o varios CFDI (máximo 20 de 512 KB) o elígelos."
      leidos={
        leido && (
          <p>
            <Link to={withParams(search, { cfdi: leido.leidos.join(',') })} preventScrollReset>
              Ver las {leido.leidos.length} que sí se leyeron
            </Link>
          </p>
        )
      }
    />
  );
}
