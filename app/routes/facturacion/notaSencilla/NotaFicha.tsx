import { Form } from '@remix-run/react';
import type { ReactNode } from 'react';
import type { Wire } from '~/core/list';
import type { NotaWhole } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { Copiar } from '~/ui/Copiar';
import { Confirm } from '~/ui/Confirm';
import { Fecha } from '~/ui/Fecha';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Telefono } from '~/ui/Telefono';
import { Pesos } from '~/ui/Pesos';
import { Hidden } from '~/ui/useAnswer';
import { askResendNota } from './questions';
import { TablaArticulos } from '~/routes/facturacion/articulos/TablaArticulos';

/** A note whole: to whom, what it charges, its PDF. */
export function NotaFicha({ ficha: nota, area, cambio }: DentroProps<Wire<NotaWhole>>) {
  const dato = (etiqueta: string, valor: ReactNode, ancha = false) => (
    <div className={ancha ? 'ancha' : undefined}>
      <dt>{etiqueta}</dt>
      <dd>{valor || '—'}</dd>
    </div>
  );
  const estado = (
    <span className="monto">
      <Pesos valor={nota.total} />
    </span>
  );
  const principal = (
    <a className="boton" data-tono="acento" href={`${area}/descargas/nota/${nota.id}`} download>
      Descargar PDF
    </a>
  );
  const acciones = [
    <Form method="post" preventScrollReset>
      <Hidden intent="reenviar" nota={nota.id} />
      <Confirm plain="boton" {...askResendNota(nota)}>
        Reenviar correo
      </Confirm>
    </Form>,
  ];
  return (
    <Ficha que="Nota" numero={nota.folio} estado={estado} principal={principal} acciones={acciones}>
      {cambio && <Cambio editando={false} quien={null} />}
      <dl className="ficha">
        <div>
          <dt>Fecha</dt>
          <dd>
            <Fecha valor={nota.fecha} />
          </dd>
        </div>
        <div>
          <dt>Creada</dt>
          <dd>
            <Fecha valor={nota.creadaEn} />
          </dd>
        </div>
        {dato('La hizo', nota.quien)}
      </dl>
      <h3>Información de Contacto</h3>
      <dl className="ficha">
        {dato('Nombre', `${nota.nombre} ${nota.apellidos}`, true)}
        {dato('Télefono', <Telefono valor={nota.telefono} />)}
        {dato(
          'Email',
          nota.email && (
            <>
              {nota.email} <Copiar texto={nota.email} que="correo" />
            </>
          ),
          true,
        )}
      </dl>
      <h3>Dirección</h3>
      <dl className="ficha">
        {dato('CP', nota.cp)}
        {dato('Colonia', nota.colonia)}
        {dato('Calle', nota.calle)}
        {dato('Número ext.', nota.numeroExterior)}
        {dato('Número int.', nota.numeroInterior)}
        {dato('Ciudad', nota.ciudad)}
        {dato('Municipio', nota.municipio)}
        {dato('Estado', nota.estado)}
      </dl>
      <h3>Artículos</h3>
      <TablaArticulos
        articulos={nota.articulos}
        totales={{ subTotal: nota.subtotal, iva: nota.iva, total: nota.total }}
      />
    </Ficha>
  );
}
