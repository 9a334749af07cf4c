import { Link, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { isEditable } from './DatosEnvio';
import type { OrdenAbierta } from './record';
import { askCorrectCosto } from './questions';

type Envio = NonNullable<OrdenAbierta['envio']>;

/** The form that corrects the cost and the quote of a sale's shipment. The buyer's payment cannot be changed here. */
export function CorregirCosto({ orden }: { orden: OrdenAbierta }) {
  const { search } = useLocation();
  const { envio } = orden;
  if (envio === null || !isEditable(orden) || (envio.costo === null && envio.cotizado === null)) return null;
  if (orden.editar === 'costo') return <Formulario key={envio.huella} orden={orden} envio={envio} />;
  return (
    <p className="botones">
      <Link className="boton" to={withParams(search, { editar: 'costo' })} preventScrollReset replace>
        Corregir costo
      </Link>
    </p>
  );
}

function Formulario({ orden, envio }: { orden: OrdenAbierta; envio: Envio }) {
  const { search } = useLocation();
  const antes = { costo: envio.costo, cotizado: envio.cotizado };
  const form = useActionForm<{ costo: string; cotizado: string }>('corregirCosto', { defaultValue: antes });
  const { costo, cotizado } = form.fields;
  const despues = { costo: costo.value ?? null, cotizado: cotizado.value ?? null };
  const importe = { leftSection: '$', inputMode: 'decimal', autoComplete: 'off' } as const;
  return (
    <ActionForm of={form} className="corregir-costo" aria-label="Corregir costo">
      <Hidden orden={orden.id} />
      <Visto of={form} marcas={{ huella: envio.huella }} />
      <div className="campos">
        <Field
          field={costo}
          label="Costo del envío"
          description="Lo que cobró la paquetería; puede ser 0."
          {...importe}
        />
        <Field field={cotizado} label="Envío cotizado" description="Lo que se le ofreció al cliente." {...importe} />
      </div>
      <div className="botones">
        <Link className="boton" to={withParams(search, { editar: null })} preventScrollReset replace>
          Cancelar
        </Link>
        <Confirm {...askCorrectCosto(antes, despues, orden.afectados ?? SIN_AFECTADOS)} ready={form.ready}>
          Guardar
        </Confirm>
      </div>
    </ActionForm>
  );
}

const SIN_AFECTADOS = { documentos: [], conGanancia: [] };
