import type { Migrations } from '../migration';
import * as base from './20261120_0100_base';
import * as effects from './20261120_0200_effects';
import * as ordenes from './20261120_0300_ordenes';
import * as facturas from './20261120_0400_facturas';
import * as mercadolibre from './20261120_0500_mercadolibre';
import * as enlaces from './20261120_1100_enlaces';
import * as cierre from './20261120_1200_cierre';
import * as notas from './20261120_1500_notas';
import * as listasOrdenes from './20261120_1520_listas_ordenes';
import * as proveedores from './20261120_1600_proveedores';
import * as utilidad from './20261120_1700_utilidad';
import * as envios from './20261120_1800_envios';
import * as busqueda from './20261120_1900_busqueda';
import * as notasCredito from './20261120_2100_notas_credito';
import * as busquedaListas from './20261120_2200_busqueda_listas';
import * as respuestasTardias from './20261120_2300_respuestas_tardias';
import * as cancelaciones from './20261120_2310_cancelaciones';
import * as avisosSinLeer from './20261120_2320_avisos_sin_leer';
import * as rechazos from './20261120_2400_rechazos';
import * as nombresProveedor from './20261120_2500_nombres_proveedor';
import * as correcciones from './20261120_2520_correcciones';
import * as porFacturar from './20261120_2550_por_facturar';
import * as rechazadas from './20261120_2560_rechazadas';
import * as sinFactura from './20261120_2570_sin_factura';
import * as miradasTardias from './20261120_2600_miradas_tardias';
import * as telefonos from './20261122_0100_telefonos';
import * as operacion from './20261122_1310_operacion';
import * as effectSubjects from './20261122_1330_effect_subjects';
import * as connection from './20261122_1335_connection';
import * as situacion from './20261122_1340_situacion';
import * as importeDeOrden from './20261122_1400_importe_de_orden';
import * as enumeraciones from './20261122_1405_enumeraciones';
import * as restauracion from './20261122_1410_restauracion';
import * as dispositivos from './20261122_1425_dispositivos';
import * as costoDeEnvio from './20261122_1530_costo_de_envio';
import * as folioDeProveedor from './20261122_1545_folio_de_proveedor';
import * as segundoFactor from './20261122_1550_segundo_factor';
import * as pagosDeEnvio from './20261122_1602_pagos_de_envio';
import * as clientesPorVenta from './20261122_1620_clientes_por_venta';
import * as bandeja from './20261122_1634_bandeja';
import * as acordadas from './20261122_1640_acordadas';
import * as estatusDeOrden from './20261122_1709_estatus_de_orden';
import * as preferencias from './20261122_1836_preferencias';
import * as porAdoptar from './20261122_1838_por_adoptar';
import * as cambioEnEspera from './20261122_1903_cambio_en_espera';
import * as buscar from './20261122_1912_buscar';
import * as sinTimbrar from './20261122_2145_sin_timbrar';
import * as vistas from './20261122_2159_vistas';
import * as lotesDeLista from './20261122_2233_lotes_de_lista';
import * as panelYTeclas from './20261122_2206_panel_y_teclas';
import * as correccionesDelCliente from './20261122_2210_correcciones_del_cliente';
import * as encargo from './20261122_2220_encargo';
import * as lotesPorFila from './20261123_0107_lotes_por_fila';
import * as cartas from './20261123_0134_cartas';
import * as producto from './20261123_0140_producto';
import * as fijados from './20261123_0144_fijados';
import * as pedido from './20261123_0405_pedido';
import * as ganancia from './20261123_0408_ganancia';
import * as guia from './20261123_0409_guia';
import * as pedidoList from './20261123_0430_pedido_list';
import * as productoPropio from './20261123_0412_producto_propio';
import * as catalogoFresco from './20261123_0416_catalogo_fresco';
import * as aplicacion from './20261123_0432_aplicacion';
import * as listaPrecios from './20261123_0446_lista_precios';
import * as guiaRetirada from './20261123_0552_guia_retirada';
import * as crearPedido from './20261123_0553_crear_pedido';
import * as publicacion from './20261123_0716_publicacion';
import * as api from './20261123_0720_api';
import * as activacionDeSesion from './20261123_0746_activacion_de_sesion';
import * as pedidoVencido from './20261123_0752_pedido_vencido';
import * as proveedorMoved from './20261123_0803_proveedor_moved';
import * as publicador from './20261123_0805_publicador';
import * as vistaRetirada from './20261123_0800_vista_retirada';
import * as panelPorClase from './20261123_0801_panel_por_clase';
import * as stockInterno from './20261123_0806_stock_interno';
import * as atencion from './20261123_0810_atencion';
import * as seguimiento from './20261123_0814_seguimiento';
import * as stockCuadre from './20261123_0825_stock_cuadre';
import * as pagos from './20261123_0836_pagos';
import * as secuencia from './20261123_0844_secuencia';
import * as conciliacion from './20261123_0847_conciliacion';
import * as pedidoFacturado from './20261123_0852_pedido_facturado';
import * as bodega from './20261123_0856_bodega';
import * as stockIndices from './20261123_0900_stock_indices';
import * as ganchos from './20261123_0907_ganchos';
import * as conteos from './20261123_0945_conteos';
import * as tiradas from './20261123_1118_tiradas';
import * as publicacionConteo from './20261123_1136_publicacion_conteo';
import * as cuentaDeReporte from './20261123_1158_cuenta_de_reporte';
import * as claveLeida from './20261123_1217_clave_leida';
import * as amazonEventos from './20261123_1242_amazon_eventos';
import * as guiaComprada from './20261123_1400_guia_comprada';
import * as precioPorTipo from './20261127_0245_precio_por_tipo';
import * as nombreDeFactura from './20261127_0250_nombre_de_factura';
import * as facturaRechazada from './20261127_0300_factura_rechazada';
import * as enlaceYDescripcion from './20261127_0310_enlace_y_descripcion';
import * as ordenDelComprador from './20261127_0330_orden_del_comprador';
import * as proveedorElecciones from './20261127_0615_proveedor_elecciones';
import * as precioAjeno from './20261127_0640_precio_ajeno';
import * as filtrosDePublicaciones from './20261127_0700_filtros_de_publicaciones';
import * as sinDescripcion from './20261127_0710_sin_descripcion';
import * as lugarDeSesion from './20261127_0725_lugar_de_sesion';
import * as descripcionNegada from './20261127_1430_descripcion_negada';
import * as amazonCola from './20261127_1455_amazon_cola';
import * as claveApi from './20261127_1455_clave_api';
import * as respuestaLejana from './20261127_2010_respuesta_lejana';
import * as codigoDePrimera from './20261127_2015_codigo_de_primera';
import * as cuentaMercadolibre from './20261127_2022_cuenta_mercadolibre';
import * as productoFoto from './20261127_2031_producto_foto';
import * as reclamoCambio from './20261127_2040_reclamo_cambio';
import * as compradorBuscado from './20261127_2130_comprador_buscado';
import * as direccionDelMercado from './20261127_2315_direccion_del_mercado';
import * as productoAlla from './20261127_2320_producto_alla';
import * as reglasDePrecio from './20261127_2325_reglas_de_precio';
import * as comisionSinDecir from './20261127_2330_comision_sin_decir';
import * as telefonoDeAgente from './20261128_0030_telefono_de_agente';
import * as balanceFiscal from './20261128_0330_balance_fiscal';
import * as porPagar from './20261128_0700_por_pagar';
import * as unoTrasOtro from './20261128_0930_uno_tras_otro';
import * as libro from './20261128_1100_libro';
import * as miradasSiguen from './20261128_1400_miradas_siguen';
import * as tasasDeRetencion from './20261128_1430_tasas_de_retencion';
import * as presencia from './20261128_1445_presencia';
import * as asientoVendido from './20261128_1500_asiento_vendido';
import * as retencionCfdi from './20261128_1800_retencion_cfdi';
import * as planesDeMovidos from './20261128_2200_planes_de_movidos';
import * as diot from './20261128_2210_diot';
import * as notasDeProveedor from './20261129_0300_notas_de_proveedor';
import * as muestra from './20261129_0320_muestra';
import * as effectPeticion from './20261129_0321_effect_peticion';
import * as costoPropio from './20261129_0330_costo_propio';
import * as precioDeVenta from './20261129_0331_precio_de_venta';
import * as empaque from './20261129_0340_empaque';
import * as alarma from './20261129_0400_alarma';
import * as borradorDeVenta from './20261129_1420_borrador_de_venta';
import * as competencia from './20261129_1930_competencia';
import * as conteo from './20261129_2310_conteo';
import * as cupon from './20261129_2310_cupon';
import * as promociones from './20261129_2310_promociones';
import * as zpl from './20261130_0230_zpl';
import * as recorrido from './20261130_0300_recorrido';
import * as loteDatos from './20261130_0930_lote_datos';
import * as respaldoEnBucket from './20261130_0940_respaldo_en_bucket';
import * as hoyDeCadaQuien from './20261130_1010_hoy_de_cada_quien';
import * as productoRetrato from './20261130_1700_producto_retrato';
import * as costoVisto from './20261201_0010_costo_visto';
import * as partesDelLibro from './20261201_0030_partes_del_libro';
import * as partesDelLibroIndices from './20261201_0031_partes_del_libro_indices';
import * as indicesSinUso from './20261201_0032_indices_sin_uso';
import * as guiaSinVenta from './20261201_0040_guia_sin_venta';
import * as sinCobrar from './20261201_0050_sin_cobrar';
import * as pagadaSinEntregar from './20261202_1000_pagada_sin_entregar';
import * as pagosEnPie from './20261202_1002_pagos_en_pie';
import * as cotejo from './20261202_1020_cotejo';
import * as enPieEnElLibro from './20261202_1030_en_pie_en_el_libro';
import * as comisionEstimada from './20261203_1100_comision_estimada';
import * as pagadaSinEntregarIndice from './20261202_1001_pagada_sin_entregar_indice';
import * as sueltos from './20261203_1200_sueltos';

/** In order; the names are what kysely_migration remembers. A static list, so that a bundle carries them. */
export const migrations: Migrations = {
  '20261120_0100_base': base,
  '20261120_0200_effects': effects,
  '20261120_0300_ordenes': ordenes,
  '20261120_0400_facturas': facturas,
  '20261120_0500_mercadolibre': mercadolibre,
  '20261120_1100_enlaces': enlaces,
  '20261120_1200_cierre': cierre,
  '20261120_1500_notas': notas,
  '20261120_1520_listas_ordenes': listasOrdenes,
  '20261120_1600_proveedores': proveedores,
  '20261120_1700_utilidad': utilidad,
  '20261120_1800_envios': envios,
  '20261120_1900_busqueda': busqueda,
  '20261120_2100_notas_credito': notasCredito,
  '20261120_2200_busqueda_listas': busquedaListas,
  '20261120_2300_respuestas_tardias': respuestasTardias,
  '20261120_2310_cancelaciones': cancelaciones,
  '20261120_2320_avisos_sin_leer': avisosSinLeer,
  '20261120_2400_rechazos': rechazos,
  '20261120_2500_nombres_proveedor': nombresProveedor,
  '20261120_2520_correcciones': correcciones,
  '20261120_2550_por_facturar': porFacturar,
  '20261120_2560_rechazadas': rechazadas,
  '20261120_2570_sin_factura': sinFactura,
  '20261120_2600_miradas_tardias': miradasTardias,
  '20261122_0100_telefonos': telefonos,
  '20261122_1310_operacion': operacion,
  '20261122_1330_effect_subjects': effectSubjects,
  '20261122_1335_connection': connection,
  '20261122_1340_situacion': situacion,
  '20261122_1400_importe_de_orden': importeDeOrden,
  '20261122_1405_enumeraciones': enumeraciones,
  '20261122_1410_restauracion': restauracion,
  '20261122_1425_dispositivos': dispositivos,
  '20261122_1530_costo_de_envio': costoDeEnvio,
  '20261122_1545_folio_de_proveedor': folioDeProveedor,
  '20261122_1550_segundo_factor': segundoFactor,
  '20261122_1602_pagos_de_envio': pagosDeEnvio,
  '20261122_1620_clientes_por_venta': clientesPorVenta,
  '20261122_1634_bandeja': bandeja,
  '20261122_1640_acordadas': acordadas,
  '20261122_1709_estatus_de_orden': estatusDeOrden,
  '20261122_1836_preferencias': preferencias,
  '20261122_1838_por_adoptar': porAdoptar,
  '20261122_1903_cambio_en_espera': cambioEnEspera,
  '20261122_1912_buscar': buscar,
  '20261122_2145_sin_timbrar': sinTimbrar,
  '20261122_2159_vistas': vistas,
  '20261122_2206_panel_y_teclas': panelYTeclas,
  '20261122_2233_lotes_de_lista': lotesDeLista,
  '20261122_2210_correcciones_del_cliente': correccionesDelCliente,
  '20261122_2220_encargo': encargo,
  '20261123_0107_lotes_por_fila': lotesPorFila,
  '20261123_0134_cartas': cartas,
  '20261123_0140_producto': producto,
  '20261123_0144_fijados': fijados,
  '20261123_0405_pedido': pedido,
  '20261123_0408_ganancia': ganancia,
  '20261123_0409_guia': guia,
  '20261123_0430_pedido_list': pedidoList,
  '20261123_0412_producto_propio': productoPropio,
  '20261123_0416_catalogo_fresco': catalogoFresco,
  '20261123_0432_aplicacion': aplicacion,
  '20261123_0446_lista_precios': listaPrecios,
  '20261123_0552_guia_retirada': guiaRetirada,
  '20261123_0553_crear_pedido': crearPedido,
  '20261123_0716_publicacion': publicacion,
  '20261123_0720_api': api,
  '20261123_0746_activacion_de_sesion': activacionDeSesion,
  '20261123_0752_pedido_vencido': pedidoVencido,
  '20261123_0803_proveedor_moved': proveedorMoved,
  '20261123_0805_publicador': publicador,
  '20261123_0800_vista_retirada': vistaRetirada,
  '20261123_0801_panel_por_clase': panelPorClase,
  '20261123_0806_stock_interno': stockInterno,
  '20261123_0810_atencion': atencion,
  '20261123_0814_seguimiento': seguimiento,
  '20261123_0825_stock_cuadre': stockCuadre,
  '20261123_0836_pagos': pagos,
  '20261123_0844_secuencia': secuencia,
  '20261123_0847_conciliacion': conciliacion,
  '20261123_0852_pedido_facturado': pedidoFacturado,
  '20261123_0856_bodega': bodega,
  '20261123_0900_stock_indices': stockIndices,
  '20261123_0907_ganchos': ganchos,
  '20261123_0945_conteos': conteos,
  '20261123_1118_tiradas': tiradas,
  '20261123_1136_publicacion_conteo': publicacionConteo,
  '20261123_1158_cuenta_de_reporte': cuentaDeReporte,
  '20261123_1217_clave_leida': claveLeida,
  '20261123_1242_amazon_eventos': amazonEventos,
  '20261123_1400_guia_comprada': guiaComprada,
  '20261127_0245_precio_por_tipo': precioPorTipo,
  '20261127_0250_nombre_de_factura': nombreDeFactura,
  '20261127_0300_factura_rechazada': facturaRechazada,
  '20261127_0310_enlace_y_descripcion': enlaceYDescripcion,
  '20261127_0330_orden_del_comprador': ordenDelComprador,
  '20261127_0615_proveedor_elecciones': proveedorElecciones,
  '20261127_0640_precio_ajeno': precioAjeno,
  '20261127_0700_filtros_de_publicaciones': filtrosDePublicaciones,
  '20261127_0710_sin_descripcion': sinDescripcion,
  '20261127_0725_lugar_de_sesion': lugarDeSesion,
  '20261127_1430_descripcion_negada': descripcionNegada,
  '20261127_1455_amazon_cola': amazonCola,
  '20261127_1455_clave_api': claveApi,
  '20261127_2010_respuesta_lejana': respuestaLejana,
  '20261127_2015_codigo_de_primera': codigoDePrimera,
  '20261127_2022_cuenta_mercadolibre': cuentaMercadolibre,
  '20261127_2031_producto_foto': productoFoto,
  '20261127_2040_reclamo_cambio': reclamoCambio,
  '20261127_2130_comprador_buscado': compradorBuscado,
  '20261127_2315_direccion_del_mercado': direccionDelMercado,
  '20261127_2320_producto_alla': productoAlla,
  '20261127_2325_reglas_de_precio': reglasDePrecio,
  '20261127_2330_comision_sin_decir': comisionSinDecir,
  '20261128_0030_telefono_de_agente': telefonoDeAgente,
  '20261128_0330_balance_fiscal': balanceFiscal,
  '20261128_0700_por_pagar': porPagar,
  '20261128_0930_uno_tras_otro': unoTrasOtro,
  '20261128_1100_libro': libro,
  '20261128_1400_miradas_siguen': miradasSiguen,
  '20261128_1430_tasas_de_retencion': tasasDeRetencion,
  '20261128_1445_presencia': presencia,
  '20261128_1500_asiento_vendido': asientoVendido,
  '20261128_1800_retencion_cfdi': retencionCfdi,
  '20261128_2200_planes_de_movidos': planesDeMovidos,
  '20261128_2210_diot': diot,
  '20261129_0300_notas_de_proveedor': notasDeProveedor,
  '20261129_0320_muestra': muestra,
  '20261129_0321_effect_peticion': effectPeticion,
  '20261129_0330_costo_propio': costoPropio,
  '20261129_0331_precio_de_venta': precioDeVenta,
  '20261129_0340_empaque': empaque,
  '20261129_0400_alarma': alarma,
  '20261129_1420_borrador_de_venta': borradorDeVenta,
  '20261129_1930_competencia': competencia,
  '20261129_2310_conteo': conteo,
  '20261129_2310_cupon': cupon,
  '20261129_2310_promociones': promociones,
  '20261130_0230_zpl': zpl,
  '20261130_0300_recorrido': recorrido,
  '20261130_0930_lote_datos': loteDatos,
  '20261130_0940_respaldo_en_bucket': respaldoEnBucket,
  '20261130_1010_hoy_de_cada_quien': hoyDeCadaQuien,
  '20261130_1700_producto_retrato': productoRetrato,
  '20261201_0010_costo_visto': costoVisto,
  '20261201_0030_partes_del_libro': partesDelLibro,
  '20261201_0031_partes_del_libro_indices': partesDelLibroIndices,
  '20261201_0032_indices_sin_uso': indicesSinUso,
  '20261201_0040_guia_sin_venta': guiaSinVenta,
  '20261201_0050_sin_cobrar': sinCobrar,
  '20261202_1000_pagada_sin_entregar': pagadaSinEntregar,
  '20261202_1001_pagada_sin_entregar_indice': pagadaSinEntregarIndice,
  '20261202_1002_pagos_en_pie': pagosEnPie,
  '20261202_1020_cotejo': cotejo,
  '20261202_1030_en_pie_en_el_libro': enPieEnElLibro,
  '20261203_1100_comision_estimada': comisionEstimada,
  '20261203_1200_sueltos': sueltos,
};
