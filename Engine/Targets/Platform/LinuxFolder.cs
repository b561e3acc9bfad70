using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

/// <summary>Opens folders by one component of the path at a time and applies the kernel's rule of protected symbolic links
/// (fs.protected_symlinks) to each component, even if the rule is off in the kernel: in a folder that other users can write to, a link is
/// followed only if it belongs to this user or to the owner of the folder.</summary>
/// <remarks>The kernel applies its rule to the last component only, and not at all if a program follows a link itself.</remarks>
internal static unsafe class LinuxFolder
{
    // The same limits as the kernel's.
    private const int MaxLinks = 40;
    private const int MaxTargetBytes = 4096;

    /// <summary>Opens a folder as a starting point for other calls; it needs no permission to read the folder.</summary>
    /// <param name="path">Full path.</param>
    /// <exception cref="IoBenchException"><c>IoBench.UntrustedLink</c>, or an error of the system.</exception>
    public static SafeFileHandle Open(string path) => Open(path, path);

    /// <summary>Opens the folder of a file.</summary>
    public static SafeFileHandle OpenParent(string path) => Open(Path.GetDirectoryName(path) ?? "/", path);

    /// <param name="path">Path that error messages name.</param>
    private static SafeFileHandle Open(string folderPath, string path)
    {
        var folder = OpenRoot(path);
        try
        {
            var components = new Stack<string>();
            PushComponents(components, folderPath);
            for (var links = 0; components.TryPop(out var name); )
            {
                var next = TryOpenAt(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, out var errno);
                if (next is null && errno is LinuxCalls.ENOTDIR or LinuxCalls.ELOOP && OpenLink(folder, name) is { } link)
                {
                    using (link)
                    {
                        if (++links > MaxLinks)
                            throw FileErrors.FromErrno(LinuxCalls.ELOOP, "opening", path);
                        next = FollowLink(folder, name, link, components, path, out errno);
                    }
                    if (next is null && errno == 0)
                        continue;
                }
                if (next is null)
                    throw FileErrors.FromErrno(errno, "opening", path);
                folder.Dispose();
                folder = next;
            }
            return folder;
        }
        catch
        {
            folder.Dispose();
            throw;
        }
    }

    /// <summary>Reads the target of a link; null if the path is not a link.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.UntrustedLink</c>, or an error of the system.</exception>
    public static string? ReadLink(string path)
    {
        using var folder = OpenParent(path);
        using var link = OpenLink(folder, Path.GetFileName(path));
        if (link is null)
            return null;
        CheckLink(folder, link, path);
        return ReadTarget(link);
    }

    /// <summary>Whether another user can have placed a file or link in its folder: others can write to the folder, and the file belongs
    /// neither to this user nor to the owner of the folder.</summary>
    public static bool IsPlacedByOther(in Statx folder, in Statx file)
    {
        var isShared =
            (folder.Mode & Statx.WritableByAll) != 0
            || (folder.Mode & (Statx.Sticky | Statx.WritableByGroup)) == (Statx.Sticky | Statx.WritableByGroup);
        return isShared && file.UserId != folder.UserId && file.UserId != GetEffectiveUserId();
    }

    public static SafeFileHandle? TryOpenAt(SafeFileHandle folder, string name, int flags, out int errno, uint mode = 0)
    {
        int descriptor;
        do
        {
            descriptor = OpenAt(folder, name, flags, mode);
            errno = descriptor >= 0 ? 0 : Marshal.GetLastPInvokeError();
        } while (errno == LinuxCalls.EINTR);
        return descriptor >= 0 ? new SafeFileHandle(descriptor, ownsHandle: true) : null;
    }

    private static SafeFileHandle OpenRoot(string path) =>
        LinuxFiles.TryOpen("/", O_PATH | O_DIRECTORY | O_CLOEXEC, out var errno) ?? throw FileErrors.FromErrno(errno, "opening", path);

    private static void PushComponents(Stack<string> components, string path)
    {
        foreach (var name in path.Split('/').Reverse())
        {
            if (name is not ("" or "."))
                components.Push(name);
        }
    }

    /// <returns>The folder to continue from if it changes; null and 0 to continue from the folder of the link.</returns>
    private static SafeFileHandle? FollowLink(
        SafeFileHandle folder,
        string name,
        SafeFileHandle link,
        Stack<string> components,
        string path,
        out int errno
    )
    {
        CheckLink(folder, link, path);
        // A link in /proc, such as /proc/1/root, leads to a folder that its text does not name.
        if (IsInProc(link))
            return TryOpenAt(folder, name, O_PATH | O_DIRECTORY | O_CLOEXEC, out errno);
        errno = 0;
        var target = ReadTarget(link) ?? throw FileErrors.FromErrno(LinuxCalls.ENOENT, "opening", path);
        PushComponents(components, target);
        return target.StartsWith('/') ? OpenRoot(path) : null;
    }

    // Owner and target are read from the same open link, because a name can lead to another link a moment later.
    private static SafeFileHandle? OpenLink(SafeFileHandle folder, string name)
    {
        var link = TryOpenAt(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC, out _);
        if (link is not null && LinuxFiles.ReadStatx(link, name).FileType == Statx.Link)
            return link;
        link?.Dispose();
        return null;
    }

    private static void CheckLink(SafeFileHandle folder, SafeFileHandle link, string path)
    {
        if (!IsPlacedByOther(LinuxFiles.ReadStatx(folder, path), LinuxFiles.ReadStatx(link, path)))
            return;
        throw IoBenchException.Refused(
            ErrorIds.UntrustedLink,
            $"{path} is or contains another user's link in a folder that other users can write to, so IoBench does not follow the link.",
            path,
            advice: "Specify the target of the link, or use a folder that only you can write to."
        );
    }

    private static string? ReadTarget(SafeFileHandle link)
    {
        var target = stackalloc byte[MaxTargetBytes];
        var length = ReadLinkAt(link, "", target, MaxTargetBytes);
        return length > 0 ? Encoding.UTF8.GetString(target, (int)length) : null;
    }

    private static bool IsInProc(SafeFileHandle link)
    {
        Statx proc;
        return GetStatx(AT_FDCWD, "/proc", 0, Statx.BasicStats, &proc) == 0
            && proc.DeviceNumber == LinuxFiles.ReadStatx(link, "/proc").DeviceNumber;
    }
}
