using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

internal unsafe partial class LinuxFiles
{
    public override string? VolumeOf(string folder)
    {
        LinuxCalls.Statx status;
        return LinuxCalls.GetStatx(LinuxCalls.AT_FDCWD, folder, 0, LinuxCalls.Statx.BasicStats, &status) == 0 ? status.DeviceNumber : null;
    }

    public override void CollectFacts(VolumeFacts facts, string existing, SafeFileHandle? file) => facts.CollectLinux(existing, file);

    public override SafeFileHandle OpenForWorker(
        SafeFileHandle known,
        string path,
        bool write,
        IoPattern pattern,
        BackendDescriptor backend
    ) => TargetOpener.OpenLinux(PathOf(known), path, write, pattern);

    public override string? DeviceOn(FileStatus status)
    {
        if (
            LoopDevice.All(LinuxBlockDevice.SystemFolder).FirstOrDefault(loop => loop.Under is { } under && under.IsFile(status)) is
            { } loop
        )
            return $"the loop device /dev/{loop.Name}";
        return DeviceUsers.Swaps().Any(swap => swap.Id is { } file && file.IsFile(status)) ? "swap space" : null;
    }

    public override ulong? MediumNumber(SafeFileHandle device)
    {
        // Kernels before 5.15 do not count media.
        ulong number;
        return Control(device, LinuxCalls.BLKGETDISKSEQ, &number) == 0 ? number : null;
    }
}
