import type { Wire } from '~/core/list';
import type { Vista } from '~/domain/publicaciones/publicador/borrador.server';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Titular } from '~/ui/Titular';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Campos } from './Campos';
import { Rechazos, useRefused } from './Rechazos';

export const FORM_CARACTERISTICAS = 'caracteristicas';

/** Step 2: the category's questions about the product. Typed answers are saved even while others are missing. */
export function Caracteristicas({ vista: { borrador, categoria, formulario, respuestas } }: { vista: Wire<Vista> }) {
  const form = useActionForm<Record<string, string>>('caracteristicas', { id: FORM_CARACTERISTICAS });
  const { problemas, version } = borrador;
  const step = useRefused(problemas);
  if (!formulario || !respuestas) return null;
  return (
    <div ref={step}>
      <ActionForm of={form} className="hoja" preventScrollReset={false}>
        <Visto of={form} marcas={{ version }} />
        <Titular>Características</Titular>
        <p className="nota">
          {categoria?.ruta.map(({ nombre }) => nombre).join(' › ')}
          {formulario.campos.length > 0 ? ' · * Obligatorio' : ' · No pide nada más del producto.'}
        </p>
        <Rechazos problemas={problemas} campos={formulario.campos} />
        <Campos campos={formulario.campos} respuestas={respuestas} problemas={problemas} />
        <div className="botones">
          <Boton tono="acento" type="submit" data-principal>
            Siguiente
          </Boton>
        </div>
      </ActionForm>
    </div>
  );
}
