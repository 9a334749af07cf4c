import { FormProvider, useInputControl, type FieldMetadata } from '@conform-to/react';
import { useRef } from 'react';
import { readTyped } from '~/core/readTyped';
import { Money } from '~/core/money';
import { articuloVacio, CANTIDAD, importeOf, PRECIO, type Articulo } from '~/domain/facturacion/cfdi/articulos';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { useNotify } from '~/ui/notify';
import { formatPesos } from '~/ui/Pesos';
import { TablaCaja } from '~/ui/TablaCaja';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { useFoco } from '~/ui/useFoco';
import { ClaveSat } from './ClaveSat';

type Fila = {
  ordenId?: string;
  nombre: string;
  codigoSat: string;
  claveUnidad: string;
  cantidad: string;
  precioUnitario: string;
  importe: string;
  sku?: string;
  tasaIva: string;
};

const filaOf = (articulo: Articulo): Fila => ({
  ...articulo,
  cantidad: articulo.cantidad === 0 ? '' : String(articulo.cantidad),
});

export const FORM_ARTICULOS = 'articulos';

/**
 * The editable table of step 1; its `key` has to change with the draft's version. Intents add and remove rows, so the table works without JavaScript. With
 * JavaScript the totals follow the typing.
 */
export function Articulos({
  articulos,
  visto,
}: {
  articulos: Articulo[];
  /** The draft as the page showed it. A note has no draft before its first step. */
  visto?: { version: number; mostrado: string };
}) {
  const { form, ...of } = useActionForm<{ articulos: Fila[] }>(FORM_ARTICULOS, {
    defaultValue: { articulos: articulos.map(filaOf) },
    required: false,
  });
  const { fields } = of;
  const formRef = useRef<HTMLFormElement>(null);
  useFoco(formRef);
  const filas = fields.articulos.getFieldList();
  const vacio = filaOf(articuloVacio()) as never;
  const addRow = () => form.insert({ name: fields.articulos.name, defaultValue: vacio });
  const notify = useNotify();
  const seQuito = (fila: unknown, at: number) => {
    const { nombre } = textosOf(fila as Partial<Fila>);
    notify(nombre ? `Se quitó «${nombre.slice(0, 40)}».` : 'Se quitó un artículo.', () =>
      form.insert({ name: fields.articulos.name, index: at, defaultValue: fila as never }),
    );
  };
  return (
    <FormProvider context={form.context}>
      <ActionForm of={{ form, ...of }} formRef={formRef} addRow={addRow} preventScrollReset={false} className="hoja">
        {visto && <Visto of={of} marcas={visto} />}
        {/* Enter in any field goes on, instead of pressing the first delete button. */}
        <button type="submit" className="oculto" tabIndex={-1} aria-hidden="true">
          Siguiente
        </button>
        <h2 tabIndex={-1}>Artículos</h2>
        <TablaCaja nombre="Artículos" conMandos>
          <table className="tabla articulos">
            <thead>
              <tr>
                <th>Descripción</th>
                <th>Código SAT</th>
                <th className="num">Precio Unitario</th>
                <th className="num">Cantidad</th>
                <th className="num">Precio sin I.V.A</th>
                <th className="num">Total</th>
                <th>
                  <span className="oculto">Eliminar</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {filas.map((fila, at) => (
                <Renglon key={fila.key} fila={fila as unknown as FieldMetadata<Fila>} at={at}>
                  <button
                    {...form.remove.getButtonProps({ name: fields.articulos.name, index: at })}
                    type="submit"
                    className="boton"
                    data-tono="mal"
                    aria-label={`Eliminar el artículo ${at + 1}`}
                    onClick={() => seQuito(fila.value, at)}
                  >
                    ✕
                  </button>
                </Renglon>
              ))}
              {filas.length === 0 && (
                <tr>
                  <td colSpan={7} className="vacio">
                    No hay artículos. Agrega uno para continuar.
                  </td>
                </tr>
              )}
            </tbody>
            <tfoot>
              <Totales filas={filas as unknown as FieldMetadata<Fila>[]} />
            </tfoot>
          </table>
        </TablaCaja>
        {fields.articulos.errors && (
          <p className="error" id={fields.articulos.errorId}>
            {fields.articulos.errors.join(' ')}
          </p>
        )}
        <div className="botones entre">
          <button
            {...form.insert.getButtonProps({
              name: fields.articulos.name,
              defaultValue: vacio,
            })}
            type="submit"
            className="boton"
            aria-label="Agregar artículo"
          >
            + Agregar artículo
          </button>
          <Boton tono="acento" type="submit" disabled={filas.length === 0} data-principal>
            Siguiente
          </Boton>
        </div>
      </ActionForm>
    </FormProvider>
  );
}

function Renglon({ fila, at, children }: { fila: FieldMetadata<Fila>; at: number; children: React.ReactNode }) {
  const campos = fila.getFieldset();
  const { neto, total } = montosOf(fila.value as Partial<Fila> | undefined);
  return (
    <tr>
      <td className="ancha" data-campo="Descripción">
        <Celda field={campos.nombre} etiqueta={`Descripción del artículo ${at + 1}`} multilinea />
      </td>
      <td data-campo="Código SAT">
        <ClaveSat field={campos.codigoSat} etiqueta={`Código SAT del artículo ${at + 1}`} />
      </td>
      <td className="num" data-campo="Precio Unitario">
        <Celda
          field={campos.precioUnitario}
          etiqueta={`Precio unitario del artículo ${at + 1}`}
          inputMode="decimal"
          size={10}
        />
      </td>
      <td className="num" data-campo="Cantidad">
        <Celda field={campos.cantidad} etiqueta={`Cantidad del artículo ${at + 1}`} inputMode="numeric" size={5} />
      </td>
      <td className="pesos" data-campo="Precio sin I.V.A">
        {neto}
      </td>
      <td className="pesos" data-campo="Total">
        {total}
      </td>
      <td>
        {(['ordenId', 'claveUnidad', 'importe', 'sku', 'tasaIva'] as const).map((name) => (
          <input key={name} type="hidden" name={campos[name].name} defaultValue={campos[name].initialValue ?? ''} />
        ))}
        {children}
      </td>
    </tr>
  );
}

type CeldaProps = { field: FieldMetadata<string>; etiqueta: string; multilinea?: boolean } & Pick<
  React.ComponentPropsWithoutRef<'input'>,
  'inputMode' | 'maxLength' | 'size'
>;

/** A bare input: a Mantine component per cell costs nine times as much. */
function Celda({ field, etiqueta, multilinea, ...input }: CeldaProps) {
  const control = useInputControl(field);
  const common = {
    name: field.name,
    id: field.id,
    form: field.formId,
    'aria-label': etiqueta,
    autoComplete: 'off',
    'aria-invalid': field.errors ? true : undefined,
    'aria-describedby': field.errors ? field.errorId : undefined,
    value: control.value ?? '',
    onFocus: control.focus,
    onBlur: control.blur,
  } as const;
  return (
    <>
      {multilinea ? (
        <textarea
          {...common}
          className="celda"
          rows={2}
          onChange={(event) => control.change(event.currentTarget.value)}
        />
      ) : (
        <input
          {...common}
          {...input}
          className="celda"
          onChange={(event) => control.change(event.currentTarget.value)}
        />
      )}
      {field.errors && (
        <span className="error" id={field.errorId}>
          {field.errors[0]}
        </span>
      )}
    </>
  );
}

/** A refused row holds the values as they were sent, in any shape. */
const textosOf = (fila: Partial<Fila> | undefined): Partial<Fila> =>
  Object.fromEntries(Object.entries(fila ?? {}).filter(([, value]) => typeof value === 'string'));
const isMonto = (text: string) => /^\d{1,12}(?:\.\d{1,6})?$/.test(text);

/** Net unit price and line total of what is typed now; a dash while it is no amount. The document's exact sums are step 3's. */
function montosOf(fila: Partial<Fila> | undefined): { neto: string; total: string; centavos: Money | null } {
  const { precioUnitario = '', cantidad: cuantas = '', importe: pagado, tasaIva } = textosOf(fila);
  const [precio, cantidad] = [readTyped(precioUnitario, PRECIO), readTyped(cuantas, CANTIDAD)];
  if (!('valor' in precio)) return { neto: '—', total: '—', centavos: null };
  if (!('valor' in cantidad))
    return { neto: formatPesos(Money.of(precio.valor).withoutIva()), total: '—', centavos: null };
  const piezas = Number(cantidad.valor);
  const importe = Money.of(
    importeOf({
      cantidad: piezas,
      precioUnitario: precio.valor,
      importe: pagado && isMonto(pagado) ? pagado : undefined,
    }),
  );
  return {
    neto: formatPesos(importe.dividedBy(piezas).withoutIva(tasaIva && isMonto(tasaIva) ? tasaIva : undefined)),
    total: formatPesos(importe),
    centavos: importe,
  };
}

function Totales({ filas }: { filas: FieldMetadata<Fila>[] }) {
  const total = Money.sum(
    filas.map((fila) => montosOf(fila.value as Partial<Fila> | undefined).centavos ?? Money.zero),
  );
  return (
    <tr>
      <th colSpan={5} className="num">
        Total
      </th>
      <td className="pesos">
        <output>{formatPesos(total)}</output>
      </td>
      <td />
    </tr>
  );
}
