import type { MetaFunction } from '@remix-run/node';
import { useRouteLoaderData } from '@remix-run/react';
import type { loader as rootLoader } from '~/root';

export const meta: MetaFunction = () => [{ title: 'Aviso de privacidad y términos de uso' }];

/** The privacy notice: the product's real use of data, and nothing else. Questions go to the address that mails come from. */
export default function TerminosYCondiciones() {
  const root = useRouteLoaderData<typeof rootLoader>('root');
  const marca = root?.marca ?? 'esta tienda';
  const contacto = root?.contacto;
  return (
    <article className="lectura hoja">
      <h1>Aviso de privacidad y términos de uso</h1>

      <h2>Introducción</h2>
      <p>
        {marca} (en adelante, «nosotros») vende en línea y usa esta aplicación para atender sus ventas: recibirlas de
        los marketplaces, facturarlas, enviarlas y dar seguimiento. Este aviso explica, conforme a la Ley Federal de
        Protección de Datos Personales en Posesión de los Particulares, qué datos personales tratamos aquí, para qué y
        con quién los compartimos.
      </p>

      <h2>Aceptación</h2>
      <p>
        Al pedir una factura, al dar tus datos de envío o al entrar como parte del personal aceptas este aviso y estos
        términos. Si no estás de acuerdo, no captures tus datos; puedes comunicarte con nosotros por el marketplace en
        el que compraste para que te atendamos por otro medio.
      </p>

      <h2>Tipos de información</h2>
      <ul>
        <li>
          <strong>Datos fiscales de quien pide factura:</strong> RFC, nombre o razón social, código postal del domicilio
          fiscal, régimen fiscal, uso del CFDI y correos electrónicos.
        </li>
        <li>
          <strong>Datos de la compra:</strong> número de orden, artículos, importes, forma de pago y los datos de
          facturación que diste al marketplace.
        </li>
        <li>
          <strong>Datos de envío:</strong> nombre de quien recibe, domicilio, teléfono y referencias.
        </li>
        <li>
          <strong>Datos del personal:</strong> nombre, usuario, correo electrónico, rol y las acciones que realiza en la
          aplicación. Las contraseñas se guardan cifradas de forma irreversible.
        </li>
      </ul>
      <p>No pedimos ni guardamos datos personales sensibles, ni números de tarjetas ni claves bancarias.</p>

      <h2>Finalidad</h2>
      <p>
        Usamos los datos para emitir, entregar, sustituir y cancelar comprobantes fiscales digitales (CFDI), preparar y
        entregar envíos, atender preguntas, devoluciones y reclamos, llevar la contabilidad y cumplir con las
        obligaciones fiscales. No los usamos para publicidad ni para elaborar perfiles.
      </p>

      <h2>Obtención</h2>
      <p>
        Los obtenemos de ti, cuando los escribes en un formulario de esta aplicación, y de los marketplaces en los que
        compraste (por ejemplo, Mercado Libre), que nos los transmiten para cumplir con tu pedido. Esta aplicación solo
        usa las cookies necesarias para mantener una sesión iniciada y mostrar avisos; no usa cookies de publicidad ni
        de medición de terceros.
      </p>

      <h2>Uso y conservación</h2>
      <p>
        Los datos se guardan en nuestra base de datos y solo los consulta el personal cuyo rol lo necesita; cada cambio
        queda registrado. Los comprobantes fiscales y los datos que contienen se conservan durante el plazo que exige el
        Código Fiscal de la Federación; lo que no forma parte de ellos se elimina cuando deja de ser necesario.
      </p>

      <h2>Divulgación</h2>
      <p>
        No vendemos ni rentamos datos personales. Los entregamos a una autoridad únicamente cuando la ley nos obliga,
        como sucede con el Servicio de Administración Tributaria (SAT) en cada comprobante que se timbra.
      </p>

      <h2>Terceros</h2>
      <p>Para cumplir con lo anterior compartimos los datos indispensables con:</p>
      <ul>
        <li>el proveedor autorizado de certificación (factura.com), que timbra los comprobantes ante el SAT;</li>
        <li>el marketplace en el que compraste, para informar del avance de tu pedido y entregarte tu factura;</li>
        <li>la paquetería o el proveedor que entrega el producto;</li>
        <li>el servicio de correo electrónico con el que enviamos las facturas.</li>
      </ul>
      <p>Cada uno trata los datos según su propio aviso de privacidad.</p>

      <h2>Tus derechos</h2>
      <p>
        Puedes pedir acceso a tus datos, su rectificación o cancelación, u oponerte a su uso (derechos ARCO), así como
        revocar tu consentimiento, mientras no lo impida una obligación legal. Escríbenos{' '}
        {contacto ? (
          <>
            a <a href={`mailto:${contacto}`}>{contacto}</a> o{' '}
          </>
        ) : null}
        por los mensajes de tu compra en el marketplace y responderemos en un máximo de veinte días hábiles.
      </p>

      <h2>Acceso del personal</h2>
      <p>
        Las cuentas son personales. Si olvidaste tu contraseña, pide a un administrador o al súper usuario que la
        cambie; por seguridad no se envía por correo. El acceso se puede retirar en cualquier momento.
      </p>

      <h2>Cambios a este aviso</h2>
      <p>Cuando este aviso cambie, la versión vigente será la publicada en esta página.</p>
    </article>
  );
}
