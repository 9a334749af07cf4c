import type { LoaderFunctionArgs } from '@remix-run/node';
import { usuarioOf } from '~/access/session.server';
import { PageHeader } from '~/ui/Blocks';

export function loader({ context }: LoaderFunctionArgs) {
  return { usuario: usuarioOf(context) };
}

export default function DatosUsuario() {
  return <PageHeader titulo="Edición de información" />;
}
