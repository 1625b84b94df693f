// Where oneDNN puts every element, for all the tags that tags.inc lists as TAG(name), by the strides and the inner
// blocks of its descriptors. One line for each tag: its name, the sizes, the bytes of the whole, and the offsets.
#include <cstdio>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

using namespace dnnl;

struct Tag { const char *name; int value; };

static const Tag tags[] = {
#define TAG(name) {#name, dnnl_##name},
#include "tags.inc"
};

// The fields of a descriptor, of oneDNN 2 and 3.
struct Blocking { memory::dims strides, sizes, axes; };

static Blocking blocking(const memory::desc &desc) {
#if DNNL_VERSION_MAJOR < 3
    const dnnl_blocking_desc_t &b = desc.data.format_desc.blocking;
    return {{b.strides, b.strides + desc.data.ndims}, {b.inner_blks, b.inner_blks + b.inner_nblks},
            {b.inner_idxs, b.inner_idxs + b.inner_nblks}};
#else
    return {desc.get_strides(), desc.get_inner_blks(), desc.get_inner_idxs()};
#endif
}

static long offset(const Blocking &b, memory::dims index) {
    long at = 0, step = 1;
    for (size_t k = b.sizes.size(); k-- > 0;) {
        long &i = index[size_t(b.axes[k])];
        at += i % b.sizes[k] * step;
        i /= b.sizes[k];
        step *= b.sizes[k];
    }
    for (size_t axis = 0; axis < index.size(); axis++) at += index[axis] * b.strides[axis];
    return at;
}

static void print(const Tag &tag, const memory::dims &dims, const memory::desc &desc) {
    const Blocking b = blocking(desc);
    std::printf("%s ", tag.name);
    for (size_t i = 0; i < dims.size(); i++) std::printf("%s%ld", i ? "," : "", long(dims[i]));
    std::printf(" %zu ", desc.get_size());
    memory::dims index(dims.size(), 0);
    for (bool first = true;; first = false) {
        std::printf("%s%ld", first ? "" : ",", offset(b, index));
        size_t axis = dims.size();
        while (axis > 0 && ++index[axis - 1] == dims[axis - 1]) index[--axis] = 0;
        if (axis == 0) break;
    }
    std::printf("\n");
}

int main() {
    static const long sizes[12] = {3, 18, 2, 5, 4, 2, 1, 2, 1, 2, 1, 2};
    for (const Tag &tag : tags)
        for (int rank = 1; rank <= 12; rank++) {
            const memory::dims dims(sizes, sizes + rank);
            const memory::desc desc(dims, memory::data_type::f32, static_cast<memory::format_tag>(tag.value), true);
            if (desc.get_size() > 0) print(tag, dims, desc);
        }
}
