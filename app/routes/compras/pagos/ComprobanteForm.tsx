import { Link } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { ACEPTA, MAX_ARCHIVO_MB } from '~/platform/files/tipos';
import { ArchivoInput, markElegidos } from '~/ui/ArchivoInput';
import { Boton } from '~/ui/Boton';
import { Dato, Datos } from '~/ui/Datos';
import { Dialog } from '~/ui/Dialog';
import { formatFecha } from '~/ui/Fecha';
import { Field, SelectField } from '~/ui/Field';
import { Pesos } from '~/ui/Pesos';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import type { ComprobanteLeido } from './actions';

type Fields = { proveedor: string; folio: string; otras: string; archivos: string };
type Props = {
  proveedores: { value: string; label: string }[];
  cerrar: string;
  /** Files that somebody dropped on the page. */
  soltados: FileList | null;
};

const LEER = 'leerComprobante';

/** 'Subir comprobante': files of a transfer, read as soon as they arrive. The page shows what was read, and a person chooses the payment. */
export function ComprobanteForm({ proveedores, cerrar, soltados }: Props) {
  const form = useActionForm<Fields>('subirComprobante', { required: { proveedor: true, folio: true } });
  const { fields, answer, pending } = form;
  const archivos = useRef<HTMLInputElement>(null);
  const leer = useRef<HTMLButtonElement>(null);
  const dichos = (answer?.resultado as ComprobanteLeido[] | undefined) ?? [];
  const error = fields.archivos.errors?.[0];

  useEffect(() => {
    if (!soltados || !archivos.current) return;
    archivos.current.files = soltados;
    markElegidos(archivos.current);
    leer.current?.click();
  }, [soltados]);

  return (
    <Dialog titulo="Subir comprobante" cerrar={cerrar}>
      <ActionForm of={form} encType="multipart/form-data" className="apilado">
        <div className="archivo">
          <label htmlFor="comprobante">Archivos del pago</label>
          <ArchivoInput
            ref={archivos}
            id="comprobante"
            name="archivos"
            multiple
            accept={ACEPTA}
            aria-invalid={error !== undefined || undefined}
            aria-describedby="comprobante-nota"
            onChange={() => leer.current?.click()}
          />
          <p id="comprobante-nota" className={error ? 'error' : 'nota'}>
            {error ?? `CEP en XML, PDF o fotos de hasta ${MAX_ARCHIVO_MB} MB. A las fotos se les quita su ubicación.`}
          </p>
        </div>
        <button ref={leer} type="submit" name="intent" value={LEER} className="boton" formNoValidate>
          Leer el comprobante
        </button>
        <div role="status" className="apilado">
          {pending === LEER && <p className="nota">Leyendo el comprobante…</p>}
          {dichos.map((dicho) => (
            <Dicho key={dicho.nombre} {...dicho} />
          ))}
          {dichos.length > 0 && <noscript>Vuelve a elegir los archivos antes de guardar.</noscript>}
        </div>
        <SelectField
          field={fields.proveedor}
          label="Proveedor"
          data={[{ value: '', label: 'Selecciona un proveedor' }, ...proveedores]}
        />
        <Field
          field={fields.folio}
          label="Folio del pago"
          description="El de un pago que ya existe, o el de uno nuevo."
          autoComplete="off"
        />
        <Field
          field={fields.otras}
          label="Ordenes que paga (opcional)"
          description="Sus números, separados por comas."
          autoComplete="off"
        />
        <div className="botones">
          <Link className="boton" to={cerrar} preventScrollReset>
            Cancelar
          </Link>
          <Boton tono="acento" type="submit" ocupado={pending === 'subirComprobante'}>
            GUARDAR
          </Boton>
        </div>
      </ActionForm>
    </Dialog>
  );
}

/** The reading of one file. Nothing of the reading is saved until somebody confirms it in the record of the payment. */
function Dicho({ nombre, lectura, pagos }: ComprobanteLeido) {
  if (!lectura) return <p className="panel">{nombre}: no dice de qué transferencia es. Se guarda como está.</p>;
  return (
    <section className="panel" data-tono="aviso" aria-label={`Lo que dice ${nombre}`}>
      <strong>{nombre} dice</strong>
      <Datos>
        <Dato de="Fecha del pago">{lectura.fecha ? formatFecha(lectura.fecha) : '—'}</Dato>
        <Dato de="Total">
          <Pesos valor={lectura.total} />
        </Dato>
        <Dato de="Clave de rastreo">{lectura.claveRastreo}</Dato>
        <Dato de="Banco">{lectura.banco}</Dato>
      </Datos>
      {pagos.map((pago) => (
        <p key={pago.id}>
          Es de la transferencia del pago <Link to={`?ver=${pago.id}`}>{pago.folio}</Link> a {pago.proveedorLabel}.
        </p>
      ))}
    </section>
  );
}
