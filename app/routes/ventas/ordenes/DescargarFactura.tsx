import { Link, useLocation } from '@remix-run/react';
import { useArea } from '~/access/useArea';
import { withParams } from '~/core/list';
import { ABRE } from '~/routes/compras/facturas/textos';
import { Dialog } from '~/ui/Dialog';
import { DESCARGAR } from './questions';

/** The fields of the address that open something over a list of sales. */
export const CERRADOS = { ver: null, descargar: null, menu: null, [ABRE]: null };

/** The question before the factura that the address names (`descargar`) is downloaded. */
export function DescargarFactura() {
  const { search } = useLocation();
  const area = useArea();
  const descargar = new URLSearchParams(search).get('descargar');
  if (!descargar) return null;
  const archivo = `${area}/descargas/factura/${encodeURIComponent(descargar)}`;
  return (
    <Dialog titulo="Descargar factura" cerrar={withParams(search, { descargar: null })}>
      <p>{DESCARGAR}</p>
      <div className="botones">
        <Link className="boton" to={withParams(search, { descargar: null })} preventScrollReset>
          No
        </Link>
        <a className="boton" href={`${archivo}/xml`} download>
          Descargar XML
        </a>
        <a className="boton" data-tono="acento" href={`${archivo}/pdf`} download>
          Descargar PDF
        </a>
      </div>
    </Dialog>
  );
}
