import type { Wire } from '~/core/list';
import type { Vista } from '~/domain/publicaciones/publicador/borrador.server';
import { Caracteristicas, FORM_CARACTERISTICAS } from './Caracteristicas';
import { ElegirCategoria } from './ElegirCategoria';
import { Oferta } from './Oferta';
import { Revision } from './Revision';

export const FORMULARIOS: Partial<Record<Vista['paso'], string>> = {
  '2': FORM_CARACTERISTICAS,
  '3': 'oferta',
  '4': 'publicar',
};

export function Paso({ vista }: { vista: Wire<Vista> }) {
  const { version } = vista.borrador;
  if (vista.paso === '1') return <ElegirCategoria vista={vista} />;
  if (vista.paso === '2') return <Caracteristicas key={version} vista={vista} />;
  if (vista.paso === '3') return <Oferta key={version} vista={vista} />;
  return <Revision vista={vista} />;
}
