namespace IoBench.Tests;

/// <summary>
/// Retries for tests that need the real clock. A busy computer can disturb some attempts but not all of them, whereas a defect fails every
/// attempt.
/// </summary>
internal static class TestTimeouts
{
    /// <summary>Repeats an attempt until the condition is met. Returns the last attempt, so that the test can assert on it.</summary>
    public static T RetryUntil<T>(Func<T, bool> isSeen, Func<T> attempt, int attempts = 20)
    {
        for (var i = 1; ; i++)
        {
            var seen = attempt();
            if (i == attempts || isSeen(seen))
                return seen;
        }
    }

    /// <summary>Waits up to a minute, which is enough even on a busy computer.</summary>
    public static void WaitUntil(Func<bool> isSo, string what)
    {
        for (var end = DateTime.UtcNow.AddMinutes(1); !isSo(); Thread.Sleep(1))
            Assert.True(DateTime.UtcNow < end, "Waited a minute in vain for: " + what);
    }
}
