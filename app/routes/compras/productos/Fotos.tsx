import { Form, useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import type { Wire } from '~/core/list';
import { type Foto, FOTOS_ACEPTA, LADO_MINIMO, MAX_FOTO_MB, MAX_FOTOS } from '~/domain/compras/catalogo/fotos';
import { ArchivoInput } from '~/ui/ArchivoInput';
import { Boton } from '~/ui/Boton';
import { Confirm } from '~/ui/Confirm';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden, Refusal, useAnswer, useQuestion } from '~/ui/useAnswer';
import './fotos.css';

type Fotos = readonly Wire<Foto>[];
const CADA_MS = 2_000;

/** Our copy of a picture, or why there is none. */
export function FotoVista({ foto, numero }: { foto: Wire<Foto>; numero: number }) {
  const nombre = `Foto ${numero}${foto.propia ? '' : ' del proveedor'}`;
  if (foto.copia)
    return (
      <img className="foto" src={foto.copia} alt={nombre} width={120} height={120} loading="lazy" decoding="async" />
    );
  return (
    <span className="foto sin-foto" data-estado={foto.estado}>
      {foto.estado === 'pendiente' ? 'Trayendo la foto…' : foto.problema}
    </span>
  );
}

/** Reads the page again while pictures are on their way. */
export function useFotosEnCamino(fotos: Fotos) {
  const { revalidate } = useRevalidator();
  const faltan = fotos.some(({ estado }) => estado === 'pendiente');
  useEffect(() => {
    if (!faltan) return undefined;
    const timer = setInterval(() => document.visibilityState === 'visible' && revalidate(), CADA_MS);
    return () => clearInterval(timer);
  }, [faltan, revalidate]);
}

/** The pictures of a product; each opens at full size. */
export function FotosDeProducto({ id, fotos, puede }: { id: string; fotos: Fotos; puede: boolean }) {
  useFotosEnCamino(fotos);
  // The reason of a refused upload is in sight without JavaScript too.
  const dicho = useAnswer('fotosSubir') !== undefined;
  return (
    <section className="fotos-de-producto" aria-label="Fotos">
      <div className="fotos">
        {fotos.map((foto, at) =>
          foto.copia ? (
            <a key={foto.url} href={foto.copia} target="_blank" rel="noopener noreferrer">
              <FotoVista foto={foto} numero={at + 1} />
            </a>
          ) : (
            <FotoVista key={foto.url} foto={foto} numero={at + 1} />
          ),
        )}
      </div>
      {fotos.length === 0 && <p className="nota">El catálogo del proveedor no trae fotos de este producto.</p>}
      {puede && (
        <details open={dicho || undefined}>
          <summary>Fotos propias</summary>
          <FotosPropias id={id} fotos={fotos} />
        </details>
      )}
    </section>
  );
}

/** Own pictures: order, removal, and the form that uploads more. */
export function FotosPropias({ id, fotos }: { id: string; fotos: Fotos }) {
  const form = useActionForm<{ fotos: string }>('fotosSubir');
  const quitar = useQuestion('fotoQuitar');
  const propias = fotos.filter(({ propia }) => propia);
  const error = form.fields.fotos.errors?.[0];
  const campo = `fotos-${id}`;
  return (
    <div className="apilado">
      <Refusal of="fotoQuitar" />
      <Refusal of="fotoAdelantar" />
      {propias.length > 0 && (
        <ol className="fotos-propias">
          {propias.map((foto, at) => (
            <li key={foto.id}>
              <FotoVista foto={foto} numero={at + 1} />
              <div className="botones">
                {at > 0 && (
                  <Form method="post" preventScrollReset>
                    <Hidden intent="fotoAdelantar" id={id} foto={foto.id} />
                    <button type="submit" className="boton" aria-label={`Poner antes la foto ${at + 1}`}>
                      Antes
                    </button>
                  </Form>
                )}
                <Form method="post" preventScrollReset>
                  <Hidden intent="fotoQuitar" id={id} foto={foto.id} />
                  <Confirm plain="boton" {...quitar} hechos={`Foto ${at + 1}`}>
                    Quitar
                  </Confirm>
                </Form>
              </div>
            </li>
          ))}
        </ol>
      )}
      <ActionForm of={form} encType="multipart/form-data" className="apilado" preventScrollReset>
        <Hidden id={id} />
        <div className="archivo">
          <label htmlFor={campo}>Subir fotos</label>
          <ArchivoInput
            id={campo}
            name="fotos"
            multiple
            accept={FOTOS_ACEPTA}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={`${campo}-nota`}
          />
          <p id={`${campo}-nota`} className={error ? 'error' : 'nota'}>
            {error ??
              `JPG o PNG de hasta ${MAX_FOTO_MB} MB y con ${LADO_MINIMO} px o más de un lado, ${MAX_FOTOS} en total. Van antes que las del proveedor, y se les quita su ubicación.`}
          </p>
        </div>
        <div className="botones">
          <Boton type="submit" ocupado={form.pending === 'fotosSubir'}>
            Subir fotos
          </Boton>
        </div>
      </ActionForm>
    </div>
  );
}
