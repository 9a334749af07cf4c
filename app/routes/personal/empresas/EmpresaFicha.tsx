import { Form, useLocation } from '@remix-run/react';
import { withParams } from '~/core/list';
import { askChangeEstatusDeEmpresa } from '~/domain/personal/questions';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Cambio, Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Hidden } from '~/ui/useAnswer';
import type { empresaOf } from './record';
import { EmpresaForm } from './EmpresaForm';

export type EmpresaAbierta = NonNullable<Awaited<ReturnType<typeof empresaOf>>>;

/** The panel of a company: its name, which is corrected here, and whether it works with us. */
export function EmpresaFicha({ ficha: empresa, cambio }: DentroProps<EmpresaAbierta>) {
  const { id, nombre, activo, version } = empresa;
  const { search } = useLocation();
  return (
    <Ficha
      que="Empresa"
      numero={nombre}
      estado={<Estatus tono={activo ? 'ok' : 'mal'}>{activo ? 'Activa' : 'Inactiva'}</Estatus>}
      acciones={[
        <Form method="post" preventScrollReset>
          <Hidden intent="estatus" id={id} version={version} activo={!activo} />
          <Confirm plain="boton" {...askChangeEstatusDeEmpresa(empresa)}>
            {activo ? 'Desactivar' : 'Activar'}
          </Confirm>
        </Form>,
      ]}
    >
      {cambio && <Cambio editando quien={null} />}
      <EmpresaForm key={version} empresa={empresa} cerrar={withParams(search, { ver: null })} />
    </Ficha>
  );
}
