import { data, type MetaFunction } from '@remix-run/node';
import { useArea } from '~/access/useArea';
import { Teapot } from '~/ui/Teapot';

export const meta: MetaFunction = () => [{ title: 'ERROR 418' }];

export function loader() {
  return data(null, { status: 418 });
}

export default function NoEncontrado() {
  return <Teapot inicio={useArea() || '/'} />;
}
