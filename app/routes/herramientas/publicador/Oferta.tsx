import { Button, Checkbox, Textarea } from '@mantine/core';
import { useState } from 'react';
import { leer } from '~/core/leer';
import type { Wire } from '~/core/list';
import { Money } from '~/core/money';
import { margenNeto } from '~/domain/precios/precio';
import type { Vista } from '~/domain/publicador/borrador.server';
import { TIPO_LABEL, type Tipo, TIPOS } from '~/domain/publicador/publicador';
import { Visto } from '~/ui/Choque';
import { Field } from '~/ui/Field';
import { formatPesos } from '~/ui/Pesos';
import { Titular } from '~/ui/Titular';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Rechazos } from './Rechazos';

type Fields = Record<'titulo' | 'descripcion' | 'clasica' | 'premium' | 'stock' | 'garantiaMeses' | 'imagenes', string>;
const CAMPO = { gold_special: 'clasica', gold_pro: 'premium' } as const satisfies Record<Tipo, keyof Fields>;

/** Step 3: its name, what it is sold for and what is left of that, and its pictures. */
export function Oferta({ vista }: { vista: Wire<Vista> }) {
  const { borrador, producto, formulario, precios, titulo } = vista;
  const { oferta } = borrador.datos;
  const sugerido = precios?.sugerido ?? '';
  const form = useActionForm<Fields>('oferta', {
    defaultValue: {
      titulo,
      descripcion: oferta?.descripcion ?? producto.nombre ?? '',
      clasica: oferta ? (oferta.precios.gold_special ?? '') : sugerido,
      premium: oferta ? (oferta.precios.gold_pro ?? '') : '',
      stock: String(oferta?.stock ?? Math.max(1, producto.existencia ?? 1)),
      garantiaMeses: String(oferta?.garantiaMeses ?? 12),
    },
  });
  const { fields } = form;
  const elegidas = oferta?.imagenes.map(({ url }) => url) ?? producto.imagenes;
  const [escritos, setEscritos] = useState<Partial<Record<Tipo, string>>>({});
  return (
    <ActionForm of={form} className="hoja apilado" preventScrollReset={false}>
      <Visto of={form} marcas={{ version: borrador.version }} />
      <Titular>Precio y fotos</Titular>
      <Rechazos problemas={borrador.problemas} campos={formulario?.campos ?? []} />
      <Field field={fields.titulo} label="Título" description={`Hasta ${formulario?.maxTitulo ?? 60} letras.`} />
      <div className="campos">
        {TIPOS.map((tipo) => (
          <div key={tipo}>
            <Field
              field={fields[CAMPO[tipo]]}
              label={`Precio ${TIPO_LABEL[tipo]}`}
              inputMode="decimal"
              leftSection="$"
              autoComplete="off"
              onInput={({ currentTarget: { value } }) => setEscritos((antes) => ({ ...antes, [tipo]: value }))}
            />
            <Margen precio={escritos[tipo] ?? fields[CAMPO[tipo]].initialValue ?? ''} precios={precios} tipo={tipo} />
          </div>
        ))}
        <Field field={fields.stock} label="Piezas" inputMode="numeric" autoComplete="off" />
        <Field field={fields.garantiaMeses} label="Garantía (meses)" inputMode="numeric" autoComplete="off" />
      </div>
      {precios?.porque && <p className="nota">Sin precio sugerido. {precios.porque}</p>}
      <p className="nota">Deja vacío el precio de la que no quieras publicar.</p>
      <Checkbox
        name="seguir"
        value="on"
        defaultChecked={oferta?.seguir ?? true}
        label="Sincronización automática: su precio y su existencia siguen al proveedor"
      />
      <Textarea
        name={fields.descripcion.name}
        id={fields.descripcion.id}
        defaultValue={fields.descripcion.initialValue ?? ''}
        error={fields.descripcion.errors?.[0]}
        label="Descripción"
        description="Solo texto."
        autosize
        minRows={4}
        maxRows={14}
      />
      <fieldset className="grupo">
        <legend>Fotos</legend>
        {producto.imagenes.length === 0 && (
          <p className="nota">El proveedor no da fotos de este producto: sin una no se puede publicar.</p>
        )}
        <div className="publicador-fotos">
          {producto.imagenes.map((url, at) => {
            const vista = oferta?.imagenes.find((one) => one.url === url);
            return (
              <label key={url}>
                <img src={url} alt={`Foto ${at + 1} del proveedor`} loading="lazy" width={120} height={120} />
                <span>
                  <input type="checkbox" name="imagenes" value={url} defaultChecked={elegidas.includes(url)} /> Foto{' '}
                  {at + 1}
                </span>
                {vista && (
                  <small>{vista.ancho ? `${vista.ancho} × ${vista.alto} px` : 'La medirá Mercado Libre'}</small>
                )}
              </label>
            );
          })}
        </div>
        {fields.imagenes.errors?.map((error) => (
          <p key={error} className="publicador-error" role="alert">
            {error}
          </p>
        ))}
      </fieldset>
      <div className="botones">
        <Button type="submit" data-principal>
          Siguiente
        </Button>
      </div>
    </ActionForm>
  );
}

/** What is left of a price as it is typed, after what the marketplace keeps of it. */
function Margen({ precio, precios, tipo }: { precio: string; precios: Wire<Vista>['precios']; tipo: Tipo }) {
  if (precios?.porque !== null || precio.trim() === '') return null;
  const leido = leer(precio, { de: 'importe', noValido: '' });
  if (!('valor' in leido)) return null;
  const { comisionDe, ...tarifa } = precios.tarifas[tipo];
  const { queda, margen, comision } = margenNeto(Money.of(leido.valor), {
    costo: Money.of(precios.costo),
    envio: Money.of(precios.envio),
    tarifa: {
      comision: Money.of(tarifa.comision),
      retencionIva: Money.of(tarifa.retencionIva),
      retencionIsr: Money.of(tarifa.retencionIsr),
      comisionDe,
    },
  });
  return (
    <p className={queda.isNegative() ? 'nota pierde' : 'nota'} aria-live="polite">
      Queda {formatPesos(queda.toFixed(2))} ({Money.of(margen.toFixed(4)).times(100).toFixed(1)} % neto). Comisión{' '}
      {formatPesos(comision.toFixed(2))}
      {comisionDe === 'omision' && ', por omisión'}.
    </p>
  );
}
