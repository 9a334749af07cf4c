import { Form, useRevalidator } from '@remix-run/react';
import { useRef, useState } from 'react';
import { useArea } from '~/access/useArea';
import { ENVIO, enMB, MAX_BYTES, MAX_MB } from '~/domain/operacion/aplicacion/aplicacion';
import { ArchivoInput, markElegidos } from '~/ui/ArchivoInput';
import { Boton } from '~/ui/Boton';
import { type Subido, uploadInParts } from '~/ui/uploadInParts';
import { Hidden } from '~/ui/useAnswer';

/** The progress of a file. `para`: the upload stopped and can go on from there. `no`: the server refuses the file. */
type Avance = Subido & { estado: 'sube' | 'para' | 'no'; texto?: string };

const NADA: Subido = { de: null, bytes: 0 };

/** The form that sends an app in parts, so that a lost network costs one part. Without JavaScript the app is sent whole. */
export function Subida() {
  const area = useArea();
  const { revalidate } = useRevalidator();
  const input = useRef<HTMLInputElement>(null);
  const stop = useRef<AbortController | null>(null);
  const [avance, setAvance] = useState<Avance | null>(null);
  const total = input.current?.files?.[0]?.size ?? 1;
  const sube = avance?.estado === 'sube';

  async function subir(file: File, from: Subido) {
    if (file.size > MAX_BYTES) return setAvance({ ...NADA, estado: 'no', texto: `La app pesa más de ${MAX_MB} MB.` });
    stop.current = new AbortController();
    const { signal } = stop.current;
    let subido = from;
    setAvance({ ...subido, estado: 'sube' });
    const partes = uploadInParts(`${area}/subirApp/parte`, file, { ...subido, parte: ENVIO, signal });
    let next = await partes.next();
    for (; !next.done; next = await partes.next()) {
      subido = next.value;
      setAvance({ ...subido, estado: 'sube' });
    }
    const fin = next.value;
    if (fin.clase === 'no') return setAvance({ ...NADA, estado: 'no', texto: fin.texto });
    if (fin.clase === 'cortada') return setAvance({ ...subido, estado: 'para' });
    setAvance(null);
    if (input.current) input.current.value = '';
    markElegidos(input.current);
    revalidate();
  }

  return (
    <Form
      method="post"
      encType="multipart/form-data"
      className="hoja"
      onSubmit={(event) => {
        const file = input.current?.files?.[0];
        event.preventDefault();
        if (file && !sube) void subir(file, NADA);
      }}
    >
      <Hidden formulario="subirApp" />
      <label className="apilado">
        <strong>APK o AAB firmado</strong>
        <span className="nota">Máximo {MAX_MB} MB.</span>
        <ArchivoInput
          ref={input}
          name="archivo"
          accept=".apk,.aab"
          required
          disabled={sube}
          onChange={() => setAvance(null)}
        />
      </label>
      {avance && sube && (
        <p className="apilado">
          <progress max={total} value={avance.bytes} aria-label="Avance de la subida" />
        </p>
      )}
      <p role="status" className="nota">
        {sube && `${enMB(avance.bytes)} de ${enMB(total)}`}
        {avance?.estado === 'para' && `Se detuvo en ${enMB(avance.bytes)}: lo que llegó está guardado.`}
      </p>
      {avance?.estado === 'no' && (
        <p role="alert" className="error">
          {avance.texto}
        </p>
      )}
      <div className="botones">
        {avance?.estado === 'para' ? (
          <Boton tono="acento" onClick={() => void subir(input.current!.files![0]!, avance)}>
            Continuar
          </Boton>
        ) : (
          <Boton tono="acento" type="submit" disabled={sube}>
            Subir
          </Boton>
        )}
        {sube && <Boton onClick={() => stop.current?.abort()}>Detener</Boton>}
      </div>
    </Form>
  );
}
