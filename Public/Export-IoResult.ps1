function Export-IoResult {
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType([System.IO.FileInfo])]
    param(
        [Parameter(Mandatory, Position = 0)]
        [Alias('FilePath')]
        [string] $Path,

        [Parameter(Mandatory, ValueFromPipeline)]
        [AllowEmptyCollection()]
        [IoBench.Engine.IoTestResult[]] $InputObject,

        # By default as the name ends: .json, .csv, .xml (DiskSpd's).
        [IoBench.Formats.ResultFormat] $Format,

        [switch] $Force,

        [switch] $PassThru
    )

    begin {
        $results = [System.Collections.Generic.List[IoBench.Engine.IoTestResult]]::new()
        $file = Resolve-IoOutputPath -Path $Path -Cmdlet $PSCmdlet
        if (-not $PSBoundParameters.ContainsKey('Format')) {
            $Format = switch ([System.IO.Path]::GetExtension($file)) {
                '.json' { 'Json' }
                '.csv' { 'Csv' }
                '.xml' { 'DiskSpdXml' }
                default {
                    $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.UnknownFormat' -Kind Usage -Message "The name $Path does not tell a format. Give -Format Json, Csv, Sqlio, DiskSpd or DiskSpdXml." -TargetObject $Path))
                }
            }
        }
    }

    process {
        foreach ($result in $InputObject) {
            if ($null -ne $result) { $results.Add($result) }
        }
    }

    end {
        if ($results.Count -eq 0) {
            $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.NoResults' -Kind Usage -Message 'There are no results to write: nothing came through the pipeline. Check what Import-IoResult or Invoke-IoTest put out.'))
        }
        if (-not $PSCmdlet.ShouldProcess($file, "write $($results.Count) result$($results.Count -eq 1 ? '' : 's') as $Format") -or
            -not (Confirm-IoOverwrite -Path $file -Force:$Force -Cmdlet $PSCmdlet)) {
            return
        }
        # Beside the file and then in its place: what was there is whole until the new one is.
        $temporary = "$file.$([guid]::NewGuid().ToString('N').Substring(0, 8)).tmp"
        $writer = $null
        try {
            $writer = [System.IO.StreamWriter]::new($temporary, $false, [System.Text.UTF8Encoding]::new($false))
            [IoBench.Formats.ResultWriter]::Write($writer, $results, $Format)
            $writer.Dispose()
            [System.IO.File]::Move($temporary, $file, $true)
        } catch {
            $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $_ -TargetObject $file))
        } finally {
            if ($null -ne $writer) { $writer.Dispose() }
            if ([System.IO.File]::Exists($temporary)) { [System.IO.File]::Delete($temporary) }
        }
        if ($PassThru) {
            Get-Item -LiteralPath $file
        }
    }
}
