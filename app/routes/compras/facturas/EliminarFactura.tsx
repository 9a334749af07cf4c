import { Form } from '@remix-run/react';
import { Confirm } from '~/ui/Confirm';
import { Hidden } from '~/ui/useAnswer';
import { removeFactura } from './textos';

/** The delete button of a row, wherever a supplier invoice is listed. */
export function EliminarFactura({
  factura,
}: {
  factura: Parameters<typeof removeFactura>[0] & { id: string; version: number };
}) {
  const { id, version, folio } = factura;
  return (
    <Form method="post" preventScrollReset>
      <Hidden intent="eliminarFactura" id={id} version={version} />
      <Confirm plain="boton" data-tono="mal" {...removeFactura(factura)} aria-label={`Eliminar ${folio}`}>
        Eliminar
      </Confirm>
    </Form>
  );
}
