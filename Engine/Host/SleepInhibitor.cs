using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>Prevents automatic sleep while it exists. Windows sleeps without user activity even if the disks are busy.</summary>
internal sealed unsafe class SleepInhibitor : IDisposable
{
    private readonly SafeWaitHandle? _request = OperatingSystem.IsWindows() ? CreateRequest() : null;

    // Closing the handle ends the request.
    public void Dispose() => _request?.Dispose();

    private static SafeWaitHandle? CreateRequest()
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
