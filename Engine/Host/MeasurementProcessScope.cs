using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>
/// Until it is disposed: normal priority, full CPU speed, the finest timer resolution, and no sleep mode. Does nothing on Linux, where
/// timers are fine already and only an administrator can raise a priority.
/// </summary>
public sealed unsafe class MeasurementProcessScope : IDisposable
{
    private readonly WindowsPriorityScope? _priorities = WindowsPriorityScope.Raise();
    private readonly WindowsTimer _timer = new();

    // Windows sleeps without user activity even if the disks are busy. Closing the handle ends the request.
    private readonly SafeWaitHandle? _powerRequest = OperatingSystem.IsWindows() ? CreatePowerRequest() : null;

    public MeasurementProcessScope()
    {
        if (OperatingSystem.IsWindows())
            _ = _timer.TryRaiseResolution();
    }

    public IoWarning? Warning => _priorities?.Warning;

    public void Dispose()
    {
        _timer.RestoreResolution();
        _powerRequest?.Dispose();
        _priorities?.Dispose();
    }

    private static SafeWaitHandle? CreatePowerRequest()
    {
        try
        {
            fixed (char* text = "IoBench measures storage.")
            {
                var reason = new ReasonContext
                {
                    Version = POWER_REQUEST_CONTEXT_VERSION,
                    Flags = POWER_REQUEST_CONTEXT_SIMPLE_STRING,
                    Text = text,
                };
                var request = PowerCreateRequest(&reason);
                if (request is 0 or -1)
                    return null;
                // If Windows refuses, the computer can sleep as before.
                _ = PowerSetRequest(request, PowerRequestSystemRequired);
                return new SafeWaitHandle(request, ownsHandle: true);
            }
        }
        catch (EntryPointNotFoundException)
        {
            // Small editions of Windows never sleep.
            return null;
        }
    }
}
