function Remove-IoUsedFile {
    <# Removes the test files of a call that asked for -RemoveTestFile; files that are not IoBench's stay. #>
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Part of a cmdlet that asks itself.')]
    param(
        [AllowEmptyCollection()]
        [string[]] $Path,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    foreach ($item in $Path | Select-Object -Unique) {
        $file = [System.IO.Directory]::Exists($item) ? (Join-Path $item 'iobench.dat') : $item
        $reason = $null
        if (-not [System.IO.File]::Exists($file)) {
            continue
        }
        if (-not [IoBench.Engine.TestFiles]::IsOurs($file, [ref] $reason)) {
            $Cmdlet.WriteWarning("$file is not removed: $reason")
            continue
        }
        $removed = [IoBench.Loader.Attempt]::Remove($file, $false)
        if ($removed.Error) {
            $Cmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $removed.Error -TargetObject $file))
        } else {
            $Cmdlet.WriteVerbose("removed $file")
        }
    }
}
