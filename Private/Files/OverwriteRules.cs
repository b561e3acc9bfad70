using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Checked before a test runs, so that a long test does not end with "the file exists".</summary>
internal readonly record struct OverwriteRules(bool NoClobber, bool Force)
{
    public void CheckFile(string path)
    {
        var file = new FileInfo(path);
        if (!file.Exists)
            return;
        if (NoClobber)
            throw IoBenchException.Refused(
                ErrorIds.FileExists,
                $"{path} exists.",
                path,
                advice: "Leave -NoClobber out to replace it, or choose another name."
            );
        if (file.IsReadOnly && !Force)
            throw IoBenchException.Refused(
                "IoBench.WriteProtected",
                $"{path} is write-protected.",
                path,
                advice: "Add -Force to replace it anyway, or choose another name."
            );
    }

    public void RemoveReadOnly(string path)
    {
        if (Force && new FileInfo(path) is { Exists: true, IsReadOnly: true } file)
            file.IsReadOnly = false;
    }
}
