namespace IoBench.Engine;

// Linux error numbers, the same on x64 and arm64.
internal static unsafe partial class LinuxCalls
{
    public const int EPERM = 1,
        ENOENT = 2,
        EINTR = 4,
        EIO = 5,
        ENXIO = 6,
        EBADF = 9,
        EAGAIN = 11,
        ENOMEM = 12,
        EACCES = 13,
        EBUSY = 16,
        EEXIST = 17,
        ENOTDIR = 20,
        EISDIR = 21,
        EINVAL = 22,
        ENFILE = 23,
        EMFILE = 24,
        ETXTBSY = 26,
        EFBIG = 27,
        ENOSPC = 28,
        EROFS = 30,
        ENAMETOOLONG = 36,
        ENOSYS = 38,
        ELOOP = 40,
        ENODATA = 61,
        ETIME = 62,
        EOPNOTSUPP = 95,
        EDQUOT = 122;
}
