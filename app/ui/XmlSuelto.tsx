import { Form, useNavigation, useSubmit } from '@remix-run/react';
import { useEffect, useRef, useState, type DragEvent, type ReactNode } from 'react';
import { ArchivoInput } from './ArchivoInput';
import { Hidden, useAnswer } from './useAnswer';

type Props = {
  intent: string;
  titulo: string;
  nota: string;
  /** Fields beside the files. */
  children?: ReactNode;
  /** What the page says of the files that could be read, under the reasons of the others. */
  leidos?: ReactNode;
};

/** The answer of an action that could not read some of the files. */
type Dicho = { motivos?: string };

/** A place to drop XML, one or several. Without JavaScript a file field with a button. */
export function XmlSuelto({ intent, titulo, nota, children, leidos }: Props) {
  const submit = useSubmit();
  const navigation = useNavigation();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const answer = useAnswer(intent);
  const dicho = answer?.resultado as Dicho | undefined;
  const motivos =
    dicho?.motivos ??
    Object.values(answer?.error ?? {})
      .flat()
      .join(' ');
  const busy = navigation.formData?.get('intent') === intent;

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
      <Hidden intent={intent} />
      {children}
      <label>
        <strong>{titulo}</strong>
        <span className="nota">{nota}</span>
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
          {dicho && leidos}
        </div>
      )}
    </Form>
  );
}
