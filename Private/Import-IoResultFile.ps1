function Import-IoResultFile {
    <# Reads result files for the Import cmdlets: results go out one by one, a file that cannot be read is one non-terminating error. #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.IoTestResult])]
    param(
        [Parameter(Mandatory)]
        [AllowEmptyCollection()]
        [string[]] $File,

        # The tool whose output is expected; null = any.
        [Nullable[IoBench.Formats.ResultFormat]] $Expected,

        [string] $Label,

        [string] $LabelFrom,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $number = 0
    foreach ($item in $File) {
        $number++
        if ($File.Count -gt 20) {
            Write-Progress -Id 7351 -Activity 'IoBench: reading results' -Status $item -PercentComplete ($number * 100 / $File.Count)
        }
        $opened = [IoBench.Loader.Attempt]::Open($item, $Expected)
        if ($opened.Error) {
            $Cmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $opened.Error -TargetObject $item))
            continue
        }
        $results = $opened.Value
        $count = 0
        $cut = @()
        try {
            while ($results.MoveNext()) {
                $result = $results.Current
                $count++
                if ($result.Status -eq [IoBench.Engine.IoResultStatus]::Incomplete) {
                    $cut += $result
                }
                if ($Label) {
                    $result.Label = $Label
                } elseif ($LabelFrom -eq 'FileName') {
                    $result.Label = [System.IO.Path]::GetFileNameWithoutExtension($item)
                } elseif ($LabelFrom -eq 'Folder') {
                    $result.Label = [System.IO.Path]::GetFileName([System.IO.Path]::GetDirectoryName($item))
                }
                $result
            }
        } finally {
            $results.Dispose()
        }
        if ($results.Error) {
            $Cmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $results.Error -TargetObject $item))
        }
        foreach ($result in $cut) {
            $why = $result.Warnings.Count -gt 0 ? $result.Warnings[0] : 'the run ends before its results.'
            $Cmdlet.WriteWarning("$([System.IO.Path]::GetFileName($item))$($result.SourceLine ? ":$($result.SourceLine)" : ''): $why")
        }
        $Cmdlet.WriteVerbose("$item`: $count result$($count -eq 1 ? '' : 's')")
    }
    if ($File.Count -gt 20) {
        Write-Progress -Id 7351 -Activity 'IoBench: reading results' -Completed
    }
}
