import { Form } from '@remix-run/react';
import type { Wire } from '~/core/list';
import type { NotaWhole } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { Dato, Datos } from '~/ui/Datos';
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

/** The panel of a nota sencilla: receiver, amounts, and PDF. */
export function NotaFicha({ ficha: nota, area, cambio }: DentroProps<Wire<NotaWhole>>) {
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
      <p className="nota">
        Una nota no tiene efecto fiscal y no se anula. Si salió mal, <a href={`${area}/notaSencilla`}>haz otra</a> con
        los datos correctos.
      </p>
      <Datos>
        <Dato de="Fecha">
          <Fecha valor={nota.fecha} />
        </Dato>
        <Dato de="Creada">
          <Fecha valor={nota.creadaEn} />
        </Dato>
        <Dato de="La hizo">{nota.quien}</Dato>
      </Datos>
      <h3>Información de Contacto</h3>
      <Datos>
        <Dato de="Nombre" ancha>{`${nota.nombre} ${nota.apellidos}`}</Dato>
        <Dato de="Télefono">
          <Telefono valor={nota.telefono} />
        </Dato>
        <Dato de="Email" ancha>
          {nota.email && (
            <>
              {nota.email} <Copiar texto={nota.email} que="correo" />
            </>
          )}
        </Dato>
      </Datos>
      <h3>Dirección</h3>
      <Datos>
        <Dato de="CP">{nota.cp}</Dato>
        <Dato de="Colonia">{nota.colonia}</Dato>
        <Dato de="Calle">{nota.calle}</Dato>
        <Dato de="Número ext.">{nota.numeroExterior}</Dato>
        <Dato de="Número int.">{nota.numeroInterior}</Dato>
        <Dato de="Ciudad">{nota.ciudad}</Dato>
        <Dato de="Municipio">{nota.municipio}</Dato>
        <Dato de="Estado">{nota.estado}</Dato>
      </Datos>
      <h3>Artículos</h3>
      <TablaArticulos
        articulos={nota.articulos}
        totales={{ subTotal: nota.subtotal, iva: nota.iva, total: nota.total }}
      />
    </Ficha>
  );
}
