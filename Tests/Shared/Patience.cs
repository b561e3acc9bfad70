namespace IoBench.Tests;

/// <summary>
/// For what only the real clock can show: a computer that is busy with something else can spoil one attempt, or several, yet not all of them. What is
/// wrong in the program is wrong every time.
/// </summary>
internal static class Patience
{
    /// <summary>Tries again until what a test wants to see was seen; returns the last attempt, for the test to judge.</summary>
    public static T Until<T>(Func<T, bool> isSeen, Func<T> attempt, int attempts = 20)
    {
        for (var i = 1; ; i++)
        {
            var seen = attempt();
            if (i == attempts || isSeen(seen))
                return seen;
        }
    }

    /// <summary>Waits until something is so; a minute is longer than any busy machine needs.</summary>
    public static void WaitFor(Func<bool> isSo, string what)
    {
        for (var end = DateTime.UtcNow.AddMinutes(1); !isSo(); Thread.Sleep(1))
            Assert.True(DateTime.UtcNow < end, "Waited a minute in vain for: " + what);
    }
}
