import { Link, useLocation } from '@remix-run/react';
import { useRef, useState, type DragEvent } from 'react';
import { withParams } from '~/core/list';
import { ACEPTA, MAX_ARCHIVO_MB } from '~/platform/files/tipos';
import { foliosOf, SIN_ARCHIVO } from '~/domain/compras/pagos/pago';
import { ArchivoInput, markElegidos } from '~/ui/ArchivoInput';
import { Boton } from '~/ui/Boton';
import { Field, SelectField } from '~/ui/Field';
import { focusOn } from '~/ui/foco';
import { Icono } from '~/ui/Icono';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { useHydrated } from '~/ui/useHydrated';
import type { CotizacionAbierta } from './record';
import './subir.css';

type Fields = { proveedor: string; folio: string; otras: string; archivos: string };

/** Files and folios of payments for one sale. Without scripts the folio's field takes several, apart by commas. */
export function SubirForm({ cotizacion }: { cotizacion: CotizacionAbierta }) {
  const { id, numOrden, proveedores, suProveedor, ofrecidos } = cotizacion;
  const { search } = useLocation();
  const hydrated = useHydrated();
  const form = useActionForm<Fields>('guardarPagos', {
    id: `guardarPagos-${id}`,
    defaultValue: { proveedor: suProveedor ?? '' },
    required: { proveedor: true },
  });
  const { fields } = form;
  const [elegidos, setElegidos] = useState<string[]>([]);
  const [archivos, setArchivos] = useState(0);
  const [escrito, setEscrito] = useState('');
  const [aviso, setAviso] = useState<string | null>(null);
  const [encima, setEncima] = useState(false);
  const [nuevoProveedor, setNuevoProveedor] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const formRef = useRef<HTMLFormElement>(null);

  const agregar = () => {
    const folio = escrito.trim();
    if (folio === '') return;
    const known = ofrecidos.find((uno) => uno.folio.toLowerCase() === folio.toLowerCase());
    if (!known && archivos === 0) {
      setAviso(`${SIN_ARCHIVO}: ${folio} no es un pago que ya exista, y uno nuevo necesita su archivo.`);
      return;
    }
    setAviso(null);
    setElegidos(foliosOf(...elegidos, known?.folio ?? folio));
    if (known && elegidos.length === 0) setNuevoProveedor(known.proveedor);
    setEscrito('');
    const campo = formRef.current?.elements.namedItem('folio');
    if (!(campo instanceof HTMLInputElement)) return;
    campo.value = '';
    focusOn(campo);
  };
  const soltar = (event: DragEvent) => {
    event.preventDefault();
    setEncima(false);
    if (!input.current || event.dataTransfer.files.length === 0) return;
    input.current.files = event.dataTransfer.files;
    setArchivos(input.current.files.length);
    markElegidos(input.current);
  };
  const listo = archivos > 0 || elegidos.length > 0 || escrito.trim() !== '';
  const error = (fields.archivos.errors ?? [])[0];
  const idArchivos = `${id}-archivos`;

  return (
    <section aria-label={`Subir archivo a la orden ${numOrden}`}>
      <h3>Subir archivo a la orden {numOrden}</h3>
      <ActionForm of={form} formRef={formRef} encType="multipart/form-data" className="apilado">
        <Hidden ordenId={id} />
        <div
          className="suelta"
          data-encima={encima || undefined}
          onDragOver={(event) => {
            event.preventDefault();
            setEncima(true);
          }}
          onDragLeave={() => setEncima(false)}
          onDrop={soltar}
        >
          <label htmlFor={idArchivos}>
            <strong>Archivos del pago</strong>
          </label>
          <ArchivoInput
            ref={input}
            id={idArchivos}
            name="archivos"
            multiple
            accept={ACEPTA}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={`${idArchivos}-nota`}
            onChange={({ currentTarget }) => setArchivos(currentTarget.files?.length ?? 0)}
          />
          <p id={`${idArchivos}-nota`} className={error ? 'error' : 'nota'}>
            {error ??
              `Fotos, PDF o XML de hasta ${MAX_ARCHIVO_MB} MB, 10 a la vez. A las fotos se les quita su ubicación.`}
          </p>
        </div>
        <SelectField
          key={nuevoProveedor ?? 'suyo'}
          field={fields.proveedor}
          {...(nuevoProveedor !== null && { defaultValue: nuevoProveedor })}
          label="Proveedor"
          data={[
            { value: '', label: 'Selecciona un proveedor' },
            ...proveedores.map(({ value, label }) => ({ value, label })),
          ]}
        />
        <div className="folio-de-pago">
          <Field
            field={fields.folio}
            label="Folio del pago"
            autoComplete="off"
            list={`${id}-folios`}
            description={
              hydrated ? 'Busca uno que ya exista, o escribe el de un pago nuevo.' : 'Varios, separados por comas.'
            }
            onInput={({ currentTarget }) => {
              setEscrito(currentTarget.value);
              setAviso(null);
            }}
            onKeyDown={(event) => {
              // Enter chooses the folio; the form is sent by its button.
              if (event.key !== 'Enter') return;
              event.preventDefault();
              agregar();
            }}
          />
          <button type="button" className="boton solo-js" onClick={agregar}>
            Agregar folio
          </button>
          <datalist id={`${id}-folios`}>
            {ofrecidos.map(({ folio, proveedor, label }) => (
              <option key={`${proveedor}${folio}`} value={folio}>
                {label}
              </option>
            ))}
          </datalist>
        </div>
        {aviso && (
          <p className="error" role="alert">
            {aviso}
          </p>
        )}
        {elegidos.length > 0 && (
          <ul className="folios" aria-label="Folios elegidos">
            {elegidos.map((folio) => (
              <li key={folio}>
                <input type="hidden" name="folios" value={folio} />
                {folio}
                <button
                  type="button"
                  aria-label={`Quitar el folio ${folio}`}
                  onClick={() => setElegidos(elegidos.filter((otro) => otro !== folio))}
                >
                  <Icono nombre="cerrar" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <Field
          field={fields.otras}
          label="Otras ordenes que paga (opcional)"
          description="Sus números, separados por comas: un solo pago de varias ordenes."
          autoComplete="off"
        />
        <div className="botones">
          <Link className="boton" to={withParams(search, { editar: null })} preventScrollReset>
            Cancelar
          </Link>
          <Boton tono="acento" type="submit" disabled={hydrated && !listo} ocupado={form.pending !== undefined}>
            GUARDAR
          </Boton>
        </div>
        {hydrated && !listo && <p className="nota">Falta elegir un archivo o un folio.</p>}
        <p role="status" className="nota">
          {form.pending !== undefined && 'Revisando los archivos…'}
        </p>
      </ActionForm>
    </section>
  );
}
