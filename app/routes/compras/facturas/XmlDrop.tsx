import { Form, Link, useLocation, useNavigation, useSubmit } from '@remix-run/react';
import { useEffect, useRef, useState, type DragEvent } from 'react';
import { withParams } from '~/core/list';
import { ArchivoInput } from '~/ui/ArchivoInput';
import { Hidden, useAnswer } from '~/ui/useAnswer';
import type { XmlLeido } from './textos';
import './proveedores.css';

/** The place to drop CFDI of suppliers, one or several. Without JavaScript a file field with a button. */
export function XmlDrop() {
  const submit = useSubmit();
  const navigation = useNavigation();
  const { search } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const answer = useAnswer('subirXml');
  const leido = answer?.resultado as XmlLeido | undefined;
  const motivos =
    leido?.motivos ??
    Object.values(answer?.error ?? {})
      .flat()
      .join(' ');
  const busy = navigation.formData?.get('intent') === 'subirXml';

  const send = () => form.current && submit(form.current, { preventScrollReset: true });
  // Files that were chosen before the page listened.
  useEffect(() => {
    if (form.current && input.current?.files?.length) submit(form.current, { preventScrollReset: true });
  }, [submit]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!input.current || event.dataTransfer.files.length === 0) return;
    input.current.files = event.dataTransfer.files;
    send();
  };

  return (
    <Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      className="suelta"
      data-encima={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      preventScrollReset
    >
      <Hidden intent="subirXml" />
      <label>
        <strong>XML del proveedor</strong>
        <span className="nota">Suelta aquí uno o varios CFDI (máximo 20 de 512 KB) o elígelos.</span>
        <ArchivoInput ref={input} name="xml" accept=".xml,text/xml,application/xml" multiple required onChange={send} />
      </label>
      <noscript>
        <button type="submit" className="boton">
          Leer XML
        </button>
      </noscript>
      <p role="status" className="nota">
        {busy && 'Leyendo…'}
      </p>
      {motivos && (
        <div className="panel" data-tono="mal" role="alert">
          <strong>Error de carga.</strong>
          {motivos}
          {leido && (
            <p>
              <Link to={withParams(search, { cfdi: leido.leidos.join(',') })} preventScrollReset>
                Ver las {leido.leidos.length} que sí se leyeron
              </Link>
            </p>
          )}
        </div>
      )}
    </Form>
  );
}
