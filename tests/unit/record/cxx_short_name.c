/* cxx_short_name: names that stay unchanged, names that become shorter, and all parts of one long name. */
#include "record/cxx_short_name.h"
#include "test.h"

#include <stdlib.h>

static struct buf scratch;

static struct str shorten(const char *name)
{
	return cxx_short_name(str_of(name), &scratch);
}

static void short_names(void)
{
	static const char *const stay[] = {"", "aten::add", "volta_sgemm_128x64_nn", "Memcpy HtoD (Pageable -> Device)",
	    "Memset (Device)", "PyTorch Profiler (0)", "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_64x3_nn",
	    "torch/nn/module.py(12): forward", "<built-in method run_backward of object at 0x7f>",
	    "## Request wait() ##", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "wait for foo(x)",
	    "step(5)", "a<b and c>d", "torch::jit::(anonymous namespace)::DifferentiableGraphBackward",
	    "nn.Module: Linear_0", "print(\"x\")", "foo<", "foo(", "foo<(>)", ")(", ">", "operator", "operator<", "f(]",
	    "a<b>c", "x (y) z", NULL};
	size_t i;

	for (i = 0; stay[i]; i++)
		CHECK_STR(shorten(stay[i]), stay[i]);
	CHECK_STR(shorten("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
			  "at::detail::Array<char*, 1> >(int, at::native::FillFunctor<float>)"),
	    "at::native::vectorized_elementwise_kernel");
	CHECK_STR(shorten("void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, 1>(float*, "
			  "at::native::(anonymous namespace)::Meta<float>)"),
	    "at::native::(anonymous namespace)::CatArrayBatchedCopy");
	CHECK_STR(shorten("void (anonymous namespace)::k<int>(int)"), "(anonymous namespace)::k");
	CHECK_STR(shorten("void at::native::<unnamed>::k<int>(at::TensorIteratorBase &)"), "at::native::<unnamed>::k");
	CHECK_STR(
	    shorten("void k<at::f(at::T&)::{lambda()#2}::operator()() const::{lambda(float)#1}, A<char*, 2> >(int)"),
	    "k");
	CHECK_STR(
	    shorten("void k<(int)4, f(T &)::[lambda() (instance 1)]::operator ()() const, (bool)0>(int, T2)"), "k");
	CHECK_STR(shorten("std::enable_if<(int)3, void>::type foo<4, (a>b)>(int, long)"), "foo");
	CHECK_STR(shorten("void f<(3 < 4), (x->y)>(int)"), "f");
	CHECK_STR(shorten("void f<&g->h, 2>(int)"), "f");
	CHECK_STR(shorten("cask_cudnn::computeOffsetsKernel(cask_cudnn::ComputeOffsetsParams)"),
	    "cask_cudnn::computeOffsetsKernel");
	CHECK_STR(shorten("ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)"),
	    "ncclKernel_AllReduce_RING_LL_Sum_float");
	CHECK_STR(shorten("std::vector<int, std::allocator<int> >::push_back(int const&)"), "std::vector::push_back");
	CHECK_STR(shorten("unsigned int const* at::Foo<3>::bar<int>(int)"), "at::Foo::bar");
	CHECK_STR(shorten("int main(int, char**)"), "main");
	CHECK_STR(shorten("decltype(auto) foo<int>(int)"), "foo");
	CHECK_STR(shorten("decltype ((a)+(b)) foo<int>(int)"), "foo");
	CHECK_STR(shorten("at::foo(int) const::{lambda()#1}::operator()() const"), "at::foo::{lambda()#1}::operator()");
	CHECK_STR(shorten("F<int>::operator()<B>(T&, long) const"), "F::operator()");
	CHECK_STR(shorten("operator<(A const&, B const&)"), "operator<");
	CHECK_STR(shorten("std::ostream& operator<< <char>(std::ostream&, char)"), "operator<<");
	CHECK_STR(shorten("operator-><int>(X)"), "operator->");
	CHECK_STR(shorten("void at::sum<&ns::operator< >(int)"), "at::sum");
	CHECK_STR(shorten("X::operator bool() const"), "X::operator bool");
	CHECK_STR(shorten("X::operator new[](unsigned long)"), "X::operator new[]");
	CHECK_STR(shorten("Foo::~Foo()"), "Foo::~Foo");
	CHECK_STR(shorten("foo(int) [clone .isra.0]"), "foo");
	CHECK_STR(shorten("autograd::engine::evaluate_function: torch::autograd::CppNode<F<&f> >"),
	    "autograd::engine::evaluate_function: torch::autograd::CppNode");
}

/*
 * Shortens every part of a name that has all constructs. No byte outside the part may be read (checked by sanitizers).
 */
static void short_pieces(void)
{
	static const char name[] =
	    "void (anonymous namespace)::a<b(c)::{d()#1}::operator()() const, (e>f)>::operator<< "
	    "<g>(h, [i]) const::operator new[](j)::decltype(k) [clone .l]";
	size_t from, n;

	for (from = 0; from < sizeof name - 1; from++) {
		for (n = 0; from + n < sizeof name; n++) {
			char *piece = str_dup((struct str){name + from, n});
			struct str s = cxx_short_name((struct str){piece, n}, &scratch);

			if (s.n > n)
				CHECK_INT(s.n, n);
			free(piece);
		}
	}
}

void unit_test(void)
{
	short_names();
	short_pieces();
	buf_free(&scratch);
}
