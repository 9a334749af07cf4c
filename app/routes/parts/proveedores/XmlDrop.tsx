import { Form, Link, useLocation, useNavigation, useSubmit } from '@remix-run/react';
import { useRef, useState, type DragEvent } from 'react';
import { withParams } from '~/core/list';
import type { XmlAnswer } from './proveedorFacturas.server';

/** Where a supplier's CFDI are dropped, one or several. Without JavaScript it is a file field and a button. */
export function XmlDrop({ answer }: { answer?: XmlAnswer }) {
  const submit = useSubmit();
  const navigation = useNavigation();
  const { search } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const mine = answer?.formId === 'xml' ? answer : undefined;
  const busy = navigation.formData?.get('accion') === 'proveedorFactura.xml';

  const send = () => form.current && submit(form.current, { preventScrollReset: true });
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
      <input type="hidden" name="accion" value="proveedorFactura.xml" />
      <label>
        <strong>XML del proveedor</strong>
        <span className="nota">Suelta aquí uno o varios CFDI (máximo 20 de 512 KB) o elígelos.</span>
        <input
          ref={input}
          type="file"
          name="xml"
          accept=".xml,text/xml,application/xml"
          multiple
          required
          onChange={send}
        />
      </label>
      <noscript>
        <button type="submit" className="boton">
          Leer XML
        </button>
      </noscript>
      <p role="status" className="nota">
        {busy && 'Leyendo…'}
      </p>
      {mine?.error && (
        <div className="panel" data-tono="mal" role="alert">
          <strong>{mine.titulo}</strong>
          {Object.values(mine.error).flat().join(' ')}
          {mine.leidos && mine.leidos.length > 0 && (
            <p>
              <Link to={withParams(search, { cfdi: mine.leidos.join(',') })} preventScrollReset>
                Ver las {mine.leidos.length} que sí se leyeron
              </Link>
            </p>
          )}
        </div>
      )}
    </Form>
  );
}
