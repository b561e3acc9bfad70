namespace IoBench.Engine;

/// <summary>Detects another user of a raw disk. Windows can bring a disk online at any time; Linux opens it exclusively.</summary>
internal sealed class DeviceMonitor(IEnumerable<OpenTarget> targets)
{
    private readonly OpenFile[] _devices =
    [
        .. targets.Select(t => t.File).OfType<OpenFile>().Where(f => f.IsWritable && f.Status.Kind == FileKind.BlockDevice).Distinct(),
    ];
    private long _next;

    /// <summary>Checks the disks once per second. Returns the error that ends the run; otherwise null.</summary>
    public IoBenchException? FindNewUser(long now)
    {
        if (_devices.Length == 0 || now < _next)
            return null;
        _next = now + Clock.Second;
        foreach (var device in _devices)
            if (RawDevice.FindNewUser(device.Handle, device.Path) is { } user)
                return IoBenchException.Refused(
                    "IoBench.DeviceInUse",
                    $"Another program started to use {device.Path} while the test was writing to it: {user}. IoBench ended the test. Do not trust "
                        + $"the contents of the disk.",
                    device.Path
                );
        return null;
    }
}
