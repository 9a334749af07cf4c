import { Link, useLocation } from '@remix-run/react';
import { Fragment } from 'react';
import { withParams, type Wire } from '~/core/list';
import type { Vista } from '~/domain/publicaciones/publicador/borrador.server';
import {
  avisosOfRegla,
  pasoOfCampo,
  pasoOfRechazo,
  TIPO_LABEL,
  tiposOf,
} from '~/domain/publicaciones/publicador/publicador';
import { Dato, Datos } from '~/ui/Datos';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { usePantalla } from '~/ui/Pantallas';
import { formatPesos } from '~/ui/Pesos';
import { Titular } from '~/ui/Titular';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { FotoVista } from '~/routes/compras/productos/Fotos';
import { Margen } from './Oferta';
import { Rechazos } from './Rechazos';

/** Step 4: everything that will be published, and the obstacles. */
export function Revision({ vista }: { vista: Wire<Vista> }) {
  const { market, borrador, categoria, formulario, respuestas, sku, enMarcha, sinAlmacen, precios: regla } = vista;
  const { search } = useLocation();
  const form = useActionForm<Record<string, string>>('publicar');
  const { oferta } = borrador.datos;
  if (!oferta || !formulario || !respuestas) return null;
  const precios = tiposOf(market).flatMap((tipo) => {
    const precio = oferta.precios[tipo];
    return precio ? [[TIPO_LABEL[tipo], formatPesos(precio), tipo, precio] as const] : [];
  });
  const dichos = formulario.campos.flatMap((campo) => {
    const respuesta = respuestas[campo.id];
    if (!respuesta?.valor) return [];
    const valor =
      campo.clase === 'lista' || campo.clase === 'siNo'
        ? campo.valores.find(({ id }) => id === respuesta.valor)?.nombre
        : [respuesta.valor, campo.clase === 'medida' && (respuesta.unidad ?? campo.unidad)].filter(Boolean).join(' ');
    return [[campo.nombre, valor ?? respuesta.valor] as const];
  });
  const avisos = avisosOfRegla(market, oferta, regla?.sugeridos ?? {});
  const hechos = [
    oferta.titulo,
    ...precios.map(([nombre, valor]) => `${nombre} ${valor}`.trim()),
    `${oferta.stock} piezas`,
    ...avisos,
  ].join(' · ');
  const portada = vista.producto.fotos.find(({ url }) => url === oferta.imagenes[0]?.url);
  const { problemas } = borrador;
  const saliendo = tiposOf(market)
    .filter((tipo) => oferta.precios[tipo])
    .every((tipo) => enMarcha.some((una) => una.tipo === tipo));
  return (
    <ActionForm of={form} className="hoja">
      <Visto of={form} marcas={{ version: borrador.version }} />
      <Titular>{oferta.titulo}</Titular>
      <Rechazos
        problemas={borrador.problemas}
        campos={formulario.campos}
        stepOf={(campo) => withParams(search, { paso: pasoOfCampo(campo) })}
      />
      {portada && (
        <div className="publicador-fotos">
          <FotoVista foto={portada} numero={1} />
        </div>
      )}
      <Datos>
        <Dato de="Categoría">{categoria?.ruta.map(({ nombre }) => nombre).join(' › ') ?? ''}</Dato>
        {precios.map(([nombre, valor, tipo, precio]) => (
          <Dato key={nombre} de={`Precio ${nombre}`.trim()}>
            {valor}
            <Margen market={market} precio={precio} precios={regla} tipo={tipo} />
          </Dato>
        ))}
        <Dato de="Piezas">{String(oferta.stock)}</Dato>
        {formulario.pide.garantia && (
          <Dato de="Garantía">{oferta.garantiaMeses === 0 ? 'Sin garantía' : `${oferta.garantiaMeses} meses`}</Dato>
        )}
        {formulario.maxImagenes > 0 && <Dato de="Fotos">{String(oferta.imagenes.length)}</Dato>}
        <Dato de="SKU">
          <PorPartes texto={sku} />
        </Dato>
        <Dato de="Sincronización automática">{oferta.seguir ? 'Sí' : 'No'}</Dato>
        {dichos.map(([nombre, valor]) => (
          <Dato key={nombre} de={nombre}>
            {valor}
          </Dato>
        ))}
      </Datos>
      {avisos.map((aviso) => (
        <p key={aviso} className="nota">
          {aviso}.
        </p>
      ))}
      <div className="botones">
        {problemas.length > 0 && pasoOfRechazo(problemas) !== '4' && (
          <Link className="boton" to={withParams(search, { paso: pasoOfRechazo(problemas) })}>
            Corregir
          </Link>
        )}
        {saliendo ? (
          <p className="nota">Ya salió: arriba se dice cómo va.</p>
        ) : sinAlmacen !== null ? (
          <SinAlmacen falta={sinAlmacen} />
        ) : (
          <Confirm {...form.question} hechos={hechos}>
            Publicar
          </Confirm>
        )}
      </div>
    </ActionForm>
  );
}

/** Why nothing is published yet, with the way to where the store is chosen. */
function SinAlmacen({ falta }: { falta: string }) {
  const tiendas = usePantalla('tiendasConfiguracion');
  return (
    <p role="status">
      <Estatus tono="mal">No se puede publicar</Estatus> {falta}{' '}
      {tiendas && <Link to={tiendas}>Configuración de tiendas</Link>}
    </p>
  );
}

/** A SKU that may break between its parts. */
const PorPartes = ({ texto }: { texto: string }) =>
  texto.split('|').map((parte, at) => (
    <Fragment key={`${at} ${parte}`}>
      {at > 0 && (
        <>
          |<wbr />
        </>
      )}
      {parte}
    </Fragment>
  ));
