// Where oneDNN puts every element: a reorder moves the row-major numbers of a tensor into each
// layout, and the numbers are looked up there.
//
//	g++ -O1 gen_onednn.cpp -ldnnl -o gen_onednn && ./gen_onednn > onednn.json
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

using namespace dnnl;
using tag = memory::format_tag;

struct Case { const char *name; tag format; int rank; };

static const Case cases[] = {
    {"nchw", tag::nchw, 4}, {"nhwc", tag::nhwc, 4}, {"chwn", tag::chwn, 4}, {"ncdhw", tag::ncdhw, 5}, {"ndhwc", tag::ndhwc, 5},
    {"ncw", tag::ncw, 3}, {"nwc", tag::nwc, 3}, {"tnc", tag::tnc, 3}, {"ntc", tag::ntc, 3}, {"ab", tag::ab, 2}, {"ba", tag::ba, 2},
    {"acdb", tag::acdb, 4}, {"oihw", tag::oihw, 4}, {"hwio", tag::hwio, 4}, {"ohwi", tag::ohwi, 4}, {"ihwo", tag::ihwo, 4},
    {"goihw", tag::goihw, 5}, {"hwigo", tag::hwigo, 5},
    {"nCw16c", tag::nCw16c, 3}, {"nChw4c", tag::nChw4c, 4}, {"nChw8c", tag::nChw8c, 4}, {"nChw16c", tag::nChw16c, 4},
    {"nCdhw8c", tag::nCdhw8c, 5}, {"nCdhw16c", tag::nCdhw16c, 5}, {"NChw16n16c", tag::NChw16n16c, 4},
    {"OIhw8i8o", tag::OIhw8i8o, 4}, {"OIhw8o8i", tag::OIhw8o8i, 4}, {"OIhw4i16o4i", tag::OIhw4i16o4i, 4},
    {"OIhw8i16o2i", tag::OIhw8i16o2i, 4}, {"Ohwi16o", tag::Ohwi16o, 4}, {"Oihw16o", tag::Oihw16o, 4}, {"IOhw16i16o", tag::IOhw16i16o, 4},
    {"gOIhw8i8o", tag::gOIhw8i8o, 5}, {"gOIhw4i16o4i", tag::gOIhw4i16o4i, 5}, {"Goihw8g", tag::Goihw8g, 5},
    {"BA16a16b4a", tag::BA16a16b4a, 2},
    {"ldoi", tag::ldoi, 4}, {"ldgoi", tag::ldgoi, 5}, {"ldOi32o", tag::ldOi32o, 4}, {"ldOI32o4i", tag::ldOI32o4i, 4},
    {"ldgOi32o", tag::ldgOi32o, 5}, {"ldgOI32o2i", tag::ldgOI32o2i, 5}, {"ldgOI32o4i", tag::ldgOI32o4i, 5},
    {"ldgIo32i", tag::ldgIo32i, 5}, {"ldgIO32i2o", tag::ldgIO32i2o, 5},
    {"nt", tag::nt, 2}, {"ldio", tag::ldio, 4}, {"ldigo", tag::ldigo, 5}, {"ldgo", tag::ldgo, 4},
};

int main() {
    engine eng(engine::kind::cpu, 0);
    stream s(eng);
    std::mt19937 random(11);
    const tag plain[] = {tag::undef, tag::a, tag::ab, tag::abc, tag::abcd, tag::abcde};
    std::printf("{\"oracle\":\"oneDNN %d.%d.%d\",\"cases\":[\n", dnnl_version()->major, dnnl_version()->minor, dnnl_version()->patch);
    bool first = true;
    for (const Case &c : cases) for (int round = 0; round < 3; round++) {
        memory::dims dims;
        size_t n = 1;
        for (int i = 0; i < c.rank; i++) {
            dims.push_back(1 + random() % (i < 2 && c.rank < 5 ? (round == 2 ? 18 : 5) : 3));
            n *= dims.back();
        }
        memory::desc from(dims, memory::data_type::f32, plain[c.rank]), to(dims, memory::data_type::f32, c.format);
        memory a(from, eng), b(to, eng);
        float *in = static_cast<float *>(a.get_data_handle()), *out = static_cast<float *>(b.get_data_handle());
        for (size_t i = 0; i < n; i++) in[i] = float(i + 1);
        for (size_t i = 0; i < to.get_size() / 4; i++) out[i] = 0;
        reorder(a, b).execute(s, a, b);
        s.wait();
        std::vector<long> offsets(n, -1);
        for (size_t i = 0; i < to.get_size() / 4; i++) if (out[i] > 0) offsets[size_t(out[i]) - 1] = long(i);
        std::printf("%s{\"tag\":\"%s\",\"sizes\":[", first ? "" : ",\n", c.name);
        first = false;
        for (int i = 0; i < c.rank; i++) std::printf("%s%ld", i ? "," : "", long(dims[i]));
        std::printf("],\"bytes\":%zu,\"offsets\":[", to.get_size());
        for (size_t i = 0; i < n; i++) std::printf("%s%ld", i ? "," : "", offsets[i]);
        std::printf("]}");
    }
    std::printf("\n]}\n");
}
