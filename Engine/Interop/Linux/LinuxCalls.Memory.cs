using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static unsafe partial class LinuxCalls
{
    public const int PROT_READ = 1,
        PROT_WRITE = 2;
    public const int MAP_SHARED = 1,
        MAP_PRIVATE = 2,
        MAP_ANONYMOUS = 0x20,
        MAP_HUGETLB = 0x40000,
        MAP_POPULATE = 0x8000;
    public const int MADV_HUGEPAGE = 14;

    [DllImport(LibC, EntryPoint = "mmap")]
    public static extern byte* Mmap(void* address, nuint length, int protection, int flags, int descriptor, nint offset);

    [DllImport(LibC, EntryPoint = "munmap")]
    public static extern int Munmap(void* address, nuint length);

    [DllImport(LibC, EntryPoint = "madvise")]
    public static extern int Madvise(void* address, nuint length, int advice);
}
