import type { FieldMetadata } from '@conform-to/react';
import { Checkbox, Textarea } from '@mantine/core';
import { Link } from '@remix-run/react';
import { useState } from 'react';
import { useArea } from '~/access/useArea';
import { readTyped } from '~/core/readTyped';
import type { Wire } from '~/core/list';
import { Money } from '~/core/money';
import { MERCADOS } from '~/domain/mercados/mercados';
import { margenNeto } from '~/domain/compras/precios/precio';
import type { Foto } from '~/domain/compras/catalogo/fotos';
import type { Vista } from '~/domain/publicaciones/publicador/borrador.server';
import { TIPO_LABEL, type Tipo, tiposOf } from '~/domain/publicaciones/publicador/publicador';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field } from '~/ui/Field';
import { formatPesos } from '~/ui/Pesos';
import { Titular } from '~/ui/Titular';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { FotosPropias, FotoVista, useFotosEnCamino } from '~/routes/compras/productos/Fotos';
import { idDeCampo, Rechazos, useRefused } from './Rechazos';

type Fields = Record<'titulo' | 'descripcion' | 'clasica' | 'premium' | 'stock' | 'garantiaMeses' | 'imagenes', string>;
/** The prices, in the order in which a marketplace asks for its kinds. */
const CAMPOS = ['clasica', 'premium'] as const;

/** Step 3: name, price with the amount left of it, and pictures. */
export function Oferta({ vista }: { vista: Wire<Vista> }) {
  const { market, borrador, producto, formulario, precios, titulo } = vista;
  const area = useArea();
  const tipos = tiposOf(market);
  const pide = formulario?.pide ?? { titulo: true, descripcion: true, garantia: true };
  const { oferta } = borrador.datos;
  const sugerido = precios?.sugerido ?? '';
  const form = useActionForm<Fields>('oferta', {
    defaultValue: {
      titulo,
      descripcion: oferta?.descripcion ?? producto.nombre ?? '',
      clasica: oferta ? (oferta.precios[tipos[0]!] ?? '') : sugerido,
      premium: (tipos[1] && oferta?.precios[tipos[1]]) ?? '',
      stock: String(oferta?.stock ?? Math.max(1, producto.existencia ?? 1)),
      garantiaMeses: String(oferta?.garantiaMeses ?? (pide.garantia ? 12 : 0)),
    },
  });
  const { fields } = form;
  const { fotos } = producto;
  const step = useRefused(borrador.problemas);
  const rechazoDe = (parte: string) => borrador.problemas.find(({ campo }) => campo === parte)?.texto;
  useFotosEnCamino(fotos);
  const elegida = ({ url, propia, estado }: (typeof fotos)[number]) =>
    estado !== 'mala' && (!oferta || propia || oferta.imagenes.some((una) => una.url === url));
  const [escritos, setEscritos] = useState<Partial<Record<Tipo, string>>>({});
  return (
    <div ref={step}>
      <ActionForm of={form} className="hoja" preventScrollReset={false}>
        <Visto of={form} marcas={{ version: borrador.version }} />
        <Titular>Precio y fotos</Titular>
        <Rechazos problemas={borrador.problemas} campos={formulario?.campos ?? []} />
        <div className="apilado">
          {pide.titulo ? (
            <Field
              field={withRechazo(fields.titulo, rechazoDe('titulo'))}
              label="Título"
              description={`Hasta ${formulario?.maxTitulo ?? 60} letras.`}
            />
          ) : (
            <Hidden titulo={titulo} />
          )}
          <div className="campos">
            {tipos.map((tipo, n) => {
              const field = fields[CAMPOS[n]!];
              return (
                <div key={tipo}>
                  <Field
                    field={withRechazo(field, n === 0 ? rechazoDe('precio') : undefined)}
                    label={`Precio ${TIPO_LABEL[tipo]}`.trim()}
                    inputMode="decimal"
                    withAsterisk={tipos.length === 1}
                    leftSection="$"
                    autoComplete="off"
                    onInput={({ currentTarget: { value } }) => setEscritos((antes) => ({ ...antes, [tipo]: value }))}
                  />
                  <Margen
                    market={market}
                    precio={escritos[tipo] ?? field.initialValue ?? ''}
                    precios={precios}
                    tipo={tipo}
                  />
                  {precios?.sugeridos?.[tipo] && (
                    <p className="nota">La regla da {formatPesos(precios.sugeridos[tipo])}.</p>
                  )}
                </div>
              );
            })}
            <Field
              field={withRechazo(fields.stock, rechazoDe('stock'))}
              label="Piezas"
              inputMode="numeric"
              autoComplete="off"
            />
            {pide.garantia ? (
              <Field field={fields.garantiaMeses} label="Garantía (meses)" inputMode="numeric" autoComplete="off" />
            ) : (
              <Hidden garantiaMeses={0} />
            )}
          </div>
          {precios?.porque && <p className="nota">Sin precio sugerido. {precios.porque}</p>}
          {tipos.length > 1 && <p className="nota">Deja vacío el precio de la que no quieras publicar.</p>}
          {!pide.titulo && (
            <p className="nota">El título, las fotos y la descripción son los de la ficha que ya existe.</p>
          )}
          <p className="nota">
            Un precio distinto al de la regla es tuyo: la sincronización lo cambia solo cuando alguien acepta el cambio.
          </p>
          <Checkbox
            name="seguir"
            value="on"
            defaultChecked={oferta?.seguir ?? true}
            label="Sincronización automática: su precio y su existencia siguen al proveedor"
          />
          {pide.descripcion && (
            <Textarea
              name={fields.descripcion.name}
              id={fields.descripcion.id}
              defaultValue={fields.descripcion.initialValue ?? ''}
              error={fields.descripcion.errors?.[0] ?? rechazoDe('descripcion')}
              label="Descripción"
              description="Solo texto."
              autosize
              minRows={4}
              maxRows={14}
            />
          )}
          {formulario?.maxImagenes !== 0 && (
            <fieldset
              className="grupo"
              id={idDeCampo('imagenes')}
              aria-invalid={(fields.imagenes.errors ?? rechazoDe('imagenes')) ? true : undefined}
            >
              <legend>Fotos</legend>
              {fotos.length === 0 && (
                <p className="nota">
                  El catálogo del proveedor no trae fotos de este producto, y sin una no se puede publicar. Sube una
                  tuya aquí abajo, o prueba con{' '}
                  <Link to={`${area}/productos?ver=${producto.id}`}>Actualizar producto</Link>: su ficha suele traerlas.
                </p>
              )}
              <div className="publicador-fotos">
                {fotos.map((foto, at) => (
                  <label key={foto.url}>
                    <FotoVista foto={foto} numero={at + 1} />
                    <span>
                      <input
                        type="checkbox"
                        name="imagenes"
                        value={foto.url}
                        defaultChecked={elegida(foto)}
                        disabled={foto.estado === 'mala'}
                      />{' '}
                      Foto {at + 1}
                      {foto.propia && ', propia'}
                    </span>
                    <small>{medidaOf(foto, MERCADOS[market].label)}</small>
                  </label>
                ))}
              </div>
              {(fields.imagenes.errors ?? [rechazoDe('imagenes')].filter(Boolean)).map((error) => (
                <p key={error} className="publicador-error" role="alert">
                  {error}
                </p>
              ))}
            </fieldset>
          )}
        </div>
        <div className="botones">
          <Boton tono="acento" type="submit" data-principal>
            Siguiente
          </Boton>
        </div>
      </ActionForm>
      {formulario?.maxImagenes !== 0 && (
        <section className="hoja" aria-labelledby="fotos-propias">
          <h2 id="fotos-propias">Fotos propias</h2>
          <FotosPropias id={producto.id} fotos={fotos} />
        </section>
      )}
    </div>
  );
}

/** Returns a field with the reason for which its kept value was refused, as long as nothing else is wrong with it. */
const withRechazo = (field: FieldMetadata<string>, rechazo: string | undefined): FieldMetadata<string> =>
  new Proxy(field, {
    get: (of, name) =>
      name === 'errors' && rechazo !== undefined ? (of.errors ?? [rechazo]) : Reflect.get(of, name, of),
  });

const medidaOf = ({ estado, ancho, alto }: Wire<Foto>, mercado: string) =>
  ({
    lista: `${ancho} × ${alto} px`,
    ajena: `La traerá ${mercado}`,
    pendiente: 'En camino',
    mala: 'No sirve',
  })[estado];

type MargenProps = Pick<Wire<Vista>, 'market' | 'precios'> & { precio: string; tipo: Tipo };

/** The amount left of a price while it is typed, after the marketplace's share. */
export function Margen({ market, precio, precios, tipo }: MargenProps) {
  if (precios?.porque !== null || precio.trim() === '') return null;
  const leido = readTyped(precio, { de: 'importe', noValido: '' });
  if (!('valor' in leido)) return null;
  const suya = precios.tarifas[tipo];
  if (!suya) return null;
  const { comisionDe, ...tarifa } = suya;
  const {
    queda,
    margen,
    comision,
    comisionDe: cual,
  } = margenNeto(Money.of(leido.valor), {
    costo: Money.of(precios.costo),
    envio: Money.of(precios.envio),
    tarifa: {
      comision: Money.of(tarifa.comision),
      retencionIva: Money.of(tarifa.retencionIva),
      retencionIsr: Money.of(tarifa.retencionIsr),
      comisionDe,
    },
    estimadas: precios.estimadas.map((una) => ({
      market,
      precio: Money.of(una.precio),
      comision: Money.of(una.comision),
    })),
  });
  return (
    <p className={queda.isNegative() ? 'nota publicador-margen pierde' : 'nota publicador-margen'} aria-live="polite">
      Queda {formatPesos(queda.toFixed(2))} ({Money.of(margen.toFixed(4)).times(100).toFixed(1)} %). Comisión{' '}
      {formatPesos(comision.toFixed(2))}
      {cual === 'omision' && ', por omisión'}
      {cual === 'estimada' && `, la que ${MERCADOS[market].label} estima`}.
    </p>
  );
}
